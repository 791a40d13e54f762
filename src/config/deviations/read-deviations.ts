import { type Area, AREAS } from '../../domain/names.js';
import { explainIssue } from '../explain-issue.js';
import { rehearsalFile, type Checked } from '../rehearsal-file.js';
import {
  areaDeviations,
  deviationFile,
  type AreaDeviations,
  type DeviationsInput,
} from './deviation-schema.js';

/** How each area differs from the interface, with all defaults filled in. */
export type Deviations = Readonly<Record<Area, AreaDeviations>>;

/** Reads how the platform of a rehearsal differs from the interface. */
export const DEVIATIONS_FILE = rehearsalFile<DeviationsInput, Deviations>({
  noun: 'deviations',
  hint: 'docs/sandbox.md lists every deviation; config/deviations.example.yaml shows them in use.',
  check,
  empty: {},
});

function check(data: unknown): Checked<Deviations> {
  const written = withoutEmpty(data) ?? {};
  const result = deviationFile.safeParse(written);
  if (!result.success) {
    const problems = result.error.issues.flatMap((issue) =>
      issue.path.length === 0 && issue.code === 'invalid_type'
        ? [{ path: [], message: `must be a block with ${Object.keys(deviationFile.shape).join(', ')}` }]
        : explainIssue(issue, deviationFile, written),
    );
    return { value: null, problems };
  }
  const value = Object.fromEntries(AREAS.map((area) => [area, areaDeviations(result.data, area)]));
  return { value: value as Deviations, problems: [] };
}

/** A block whose lines are all commented out is null in YAML and says nothing. */
function withoutEmpty(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const written = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(
    written.map(([name, value]) => [
      name,
      (AREAS as readonly string[]).includes(name) ? withoutEmpty(value) : (value as unknown),
    ]),
  );
}
