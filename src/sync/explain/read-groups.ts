import { type IssueGroup, largestFirst } from '../../domain/issue-group.js';
import { reasonGroups } from '../../domain/reason.js';
import { entity as entityNamed } from '../../entities/index.js';
import type { State } from '../../ports/state.js';
import type { GatheredEntity } from '../troubles/gather-facts.js';
import { readReasons } from '../troubles/read-reasons.js';

/** Reasons of one entity that are read: of codes, and of others. */
const MOST = 1_000;

/** All reasons why records of the ledger are invalid or wait; the largest effect first. `entities`: with their counts. */
export async function readGroups(
  state: Pick<State, 'records' | 'recordLists'>,
  entities: readonly Pick<GatheredEntity, 'name' | 'counts'>[],
): Promise<readonly IssueGroup[]> {
  const groups: IssueGroup[] = [];
  for (const { name, counts } of entities) {
    if (counts === null) continue;
    const reasons = await readReasons(state, name, { ...counts, rejected: 0 }, MOST);
    groups.push(...reasonGroups(name, entityNamed(name).parent, reasons));
  }
  return largestFirst(groups);
}
