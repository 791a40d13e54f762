import { isOfOtherParent, NOTHING, OF_OTHER_PARENT, payloadOf } from './hash.js';
import { CURRENT, FIRST_DEADLINE, UNCLAIMED, type Row } from './ledger-row.js';
import type { Exploration } from './explore.js';
import { encodeRow, type World } from './world-state.js';

/** A row as the exploration saw it, with what its statements need to know of the attempt that has claimed it. */
export interface RowCase {
  /** Deadlines: `FIRST_DEADLINE` one before that of the open claim, `OWN_DEADLINE` that of the claim. */
  readonly row: Row;
  readonly sent: number;
  readonly sentMoved: boolean;
  readonly triedBefore: boolean;
  /** The claim's deadline has passed. */
  readonly expired: boolean;
}

export const OWN_DEADLINE = FIRST_DEADLINE + 1;

/** Every distinct row of an exploration. */
export function rowCases(explorations: readonly Exploration[]): RowCase[] {
  const cases = new Map<string, RowCase>();
  for (const { states, state } of explorations) {
    for (let index = 0; index < states; index += 1) {
      const found = caseOf(state(index));
      const { row, sent, sentMoved, triedBefore, expired } = found;
      const { desiredPayload, acknowledgedPayload } = row;
      cases.set(
        [encodeRow(row), desiredPayload, acknowledgedPayload, sent, sentMoved, triedBefore, expired].join(),
        found,
      );
    }
  }
  return [...cases.values()];
}

function caseOf({ row, attempts }: World): RowCase {
  const claim = row.claim === UNCLAIMED ? undefined : attempts[row.last];
  return {
    row: { ...row, ...payloadsOf(row), last: 0, confirm: Math.min(row.confirm, FIRST_DEADLINE) },
    sent: claim?.sent ?? 0,
    sentMoved: claim?.moved ?? false,
    // Of a claim of an older token nobody knows it any more.
    triedBefore: row.claim === CURRENT && claim?.triedBefore === true,
    expired: claim?.expired ?? false,
  };
}

/** Where the exploration has forgotten them, payloads that the row may have: each of the parent that is noted. */
function payloadsOf(row: Row): Pick<Row, 'desiredPayload' | 'acknowledgedPayload'> {
  const some = (moved: boolean) => (moved ? OF_OTHER_PARENT : 1);
  const desiredPayload =
    row.desiredPayload || payloadOf(row.desired) || (row.tried || row.known ? some(row.moved) : NOTHING);
  const isOther = row.known && isOfOtherParent(desiredPayload) !== row.knownMoved;
  const acknowledgedPayload = row.acknowledgedPayload || (isOther ? some(row.knownMoved) : NOTHING);
  return { desiredPayload, acknowledgedPayload };
}
