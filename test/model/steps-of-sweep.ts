import { closedOf, isClosed, NOTHING } from './hash.js';
import { publish, type RowFinding } from './ledger-row.js';
import { named, namedSource } from './named.js';
import type { Protocol, Step } from './protocol.js';
import { sourceValues, type SourceValue } from './source-value.js';
import type { World } from './world-state.js';

/**
 * Only a sweep changes what a sweep looks at, so reading and publishing is one step; but not of a closing, which is made
 * of what was accepted.
 */
export function stepsOfSweep(world: World, { findings, policy, rules }: Protocol, step: Step): void {
  const finding = world.staged === NOTHING ? findings(world.source, world.row) : null;
  if (finding && isClosing(finding)) {
    step(
      true,
      (next) => {
        next.staged = finding.desired;
        next.stagedMoved = finding.moved === true;
        next.misclosed ||= finding.desired !== closedOf(world.accepted || world.row.desired);
      },
      () => `a sweep finds it gone and stages ${named(finding.desired)}`,
    );
  } else if (finding) {
    step(
      true,
      ({ row }) => publish(row, finding, rules),
      () => `a sweep publishes ${namedSource(world.source)}`,
    );
  }
  if (world.staged !== NOTHING) {
    step(
      true,
      (next) => {
        publish(next.row, stagedFinding(world), rules);
        next.staged = NOTHING;
        next.stagedMoved = false;
      },
      () => 'the sweep publishes it',
    );
  }
  if (world.edits === 0) return;
  const edit = (source: SourceValue) => {
    if (source === world.source) return;
    step(
      false,
      (next) => {
        next.source = source;
        next.edits -= 1;
      },
      () => `edit: the source has ${namedSource(source)}`,
    );
  };
  sourceValues(policy).forEach(edit);
}

const isClosing = ({ kind, desired }: RowFinding) => kind === 'vanished' && isClosed(desired);

const stagedFinding = ({ staged, stagedMoved }: World): RowFinding => ({
  kind: 'vanished',
  desired: staged,
  payload: staged,
  moved: stagedMoved,
});
