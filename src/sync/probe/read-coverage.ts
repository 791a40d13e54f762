import type { CheckedAssumption } from '../../domain/probe/check.js';
import { PROBE_CHECKS } from '../../domain/probe/checks.js';
import type { State } from '../../ports/state.js';

/** One assumption, and what this platform was last observed to do. Public interface, with `observedAt` as ISO text. */
export interface CoveredAssumption extends CheckedAssumption {
  /** Null: not observed yet. */
  readonly observedAt: Date | null;
}

/** What is shown of an assumption that no probe has tried. */
export const NOT_OBSERVED = 'not observed yet: run probe';

/** Every assumption with the latest observation of this environment. Errors: those of the state database. */
export async function readCoverage(
  { observations }: Pick<State, 'observations'>,
  environment: string,
): Promise<readonly CoveredAssumption[]> {
  const observed = new Map((await observations.read(environment)).map((each) => [each.id, each]));
  return PROBE_CHECKS.map(({ id, assumption, setting }) => {
    const { result = 'unknown', seen = NOT_OBSERVED, observedAt = null } = observed.get(id) ?? {};
    return { id, assumption, result, seen, setting, observedAt };
  });
}
