import { createGroupTally, type GroupId } from '../../core/domain/issue-group.js';
import type { Issue } from '../../core/domain/issue.js';
import { uuidText } from '../../core/domain/key.js';
import { RECORD_STATUSES } from '../../core/domain/names.js';
import { ABSENT_HASH } from '../../core/domain/payload.js';
import { childrenOf } from '../../core/entities/index.js';
import { scalarText } from '../../core/entities/values.js';
import type { Forecasts, RecordStanding } from './forecasts.js';
import type { KnownPayloads } from '../../core/ledger/ledger.js';
import type { StatusCounts } from '../../core/ledger/records.js';
import type { ConfiguredEntity } from '../../core/context.js';
import type { Change } from '../../core/sweep/read-changes.js';
import { describeChange, describeInvalid, type NamedParent, type PlannedChange } from './describe-change.js';
import type { PlanState } from './plan-state.js';
import { createWaitingTally, type PlannedParents, readWaits } from './wait-for-parents.js';

/**
 * Takes what a sweep finds of one entity: counts what it would do, lists the first changes, groups what is invalid, and
 * says which children wait for a parent. Whether a request is then really made is the ledger's to say: what was refused,
 * failed or taken down before is counted like any other change.
 */
export function gatherChanges({ entity, state, counts, above, limit, withDiff }: GatherOptions) {
  const { name, parent, statusField, closedStatus } = entity;
  const { ledger, forecasts } = state;
  const hasChildren = childrenOf(name).length > 0;
  const isNew = RECORD_STATUSES.every((status) => counts[status] === 0);
  const nothing = () => ({
    does: { ...NOTHING_DONE },
    /** Records that were to be sent, or waited, by their parents, and of which the sweep found something else. */
    pending: 0,
    waited: new Map<string, number>(),
    groups: createGroupTally(name),
    waiting: createWaitingTally(name, parent),
    coming: new Set<string>(),
    invalid: new Map<string, readonly GroupId[]>(),
    gone: new Set<string>(),
    /** UUID keys that vanished, and known ones that only changed case, by their new spelling. */
    vanished: new Map<string, Doing | null>(),
    respelled: new Map<string, string>(),
    /** Keys of records that were invalid, and of which the sweep found something. */
    judged: new Set<string>(),
    listed: [] as PlannedChange[],
    /** Invalid records that were invalid before: no news, and often many. */
    standing: [] as PlannedChange[],
    /** Changes, listed or not. */
    total: 0,
    room: { invalid: limit, standing: limit, other: limit },
  });
  let found = nothing();

  const mayList = (kind: keyof typeof found.room) => found.room[kind]-- > 0;

  const standingsOf = async (changes: readonly Change[]) => {
    const keys = changes.flatMap(({ known, finding }) => (known ? finding.key : []));
    const platformIds = changes.flatMap(({ known, finding }) => (known ? [] : (finding.platformId ?? [])));
    const all = isNew ? [] : await forecasts.standings(name, { keys, platformIds });
    const byKey = new Map(all.map((each) => [each.key, each]));
    const byId = new Map(all.map((each) => [each.platformId, each]));
    return ({ finding, known }: Change): RecordStanding | null =>
      (known ? byKey.get(finding.key) : byId.get(finding.platformId ?? '')) ?? null;
  };

  /** What a run does about a change. Null: it is invalid, or the platform has it so. */
  const doing = ({ finding, known }: Change, before: RecordStanding | null): Doing | null => {
    const { kind, desiredHash, desiredPayload } = finding;
    if (kind === 'vanished' && known?.neverThere === true) return 'gone';
    const isThere = desiredHash !== null && desiredHash === before?.acknowledgedHash;
    if (kind === 'vanished' && (desiredHash === null || isThere))
      return before?.accepted === true ? 'kept' : 'gone';
    if (desiredHash === null || isThere) return null;
    if (desiredHash === ABSENT_HASH) return 'delete';
    const closes = statusField !== null && desiredPayload?.[statusField] === closedStatus;
    if (kind === 'vanished' || closes) return 'close';
    return before?.accepted === true ? 'update' : 'create';
  };

  const noteInvalid = (
    key: string,
    platformId: string | null,
    referenced: boolean,
    issues: readonly Issue[],
  ) => {
    const own = found.groups.add('invalid', key, issues);
    if (hasChildren && platformId !== null && !referenced) found.invalid.set(platformId, own);
  };

  /** Notes what a record was and what it becomes; gives what is done about it unless its parent keeps it back. */
  const note = (change: Change, before: RecordStanding | null) => {
    const { finding, known } = change;
    const { key, platformId, kind } = finding;
    if (known?.invalid) found.judged.add(key);
    if (before?.status === 'pending') found.pending += 1;
    if (before?.status === 'waiting' && before.parentPlatformId !== null)
      found.waited.set(before.parentPlatformId, (found.waited.get(before.parentPlatformId) ?? 0) + 1);
    const does = doing(change, before);
    if (!known && before && before.key !== key) found.respelled.set(key, before.key);
    const referenced = before?.referenced ?? false;
    if (kind === 'invalid') noteInvalid(key, platformId, referenced, finding.invalidReason ?? []);
    else if (hasChildren && !referenced && kind === 'vanished' && before) found.gone.add(before.platformId);
    else if (hasChildren && !referenced && does !== null && platformId) found.coming.add(platformId);
    return does;
  };

  const list = async (changes: readonly Change[]) => {
    found.total += changes.length;
    const shown = changes.filter((change) => mayList(kindOf(change)));
    const keys = shown.flatMap(({ finding: { kind, key } }) =>
      kind === 'new' || kind === 'invalid' ? [] : key,
    );
    const payloads = keys.length > 0 ? await ledger.payloads(name, keys) : new Map<string, KnownPayloads>();
    const parents = withDiff ? await namedParents(entity, forecasts, shown, [...payloads.values()]) : null;
    for (const change of shown) {
      const known = payloads.get(change.finding.key);
      const before = { payload: known?.desired ?? null, parent: named(known?.parentPlatformId, parents) };
      const after = named(change.finding.parentPlatformId, parents);
      found[kindOf(change) === 'standing' ? 'standing' : 'listed'].push(
        describeChange(entity, change, { before, after, withDiff }),
      );
    }
  };

  return {
    async take(changes: readonly Change[]): Promise<void> {
      const real = changes.filter(({ finding }) => finding.kind !== 'touched');
      const standingOf = await standingsOf(real);
      const done = real.map((change) => {
        const does = note(change, standingOf(change));
        const needsParent = does === 'create' || does === 'update' || does === 'close';
        return { does, finding: change.finding, of: needsParent ? change.finding.parentPlatformId : null };
      });
      const parentIds = done.flatMap(({ of }) => of ?? []);
      const waits = await readWaits(forecasts, parent, parentIds, above);
      for (const { does, finding, of } of done) {
        const { key, kind } = finding;
        const wait = waits.get(of ?? '');
        if (kind === 'vanished' && uuidText(key) !== null) found.vanished.set(key, wait ? null : does);
        if (wait) found.waiting.add(wait, [key]);
        else if (does !== null) found.does[does] += 1;
      }
      await list(real);
    },

    warn: (record: string, warnings: readonly Issue[]) => void found.groups.add('doubtful', record, warnings),

    restart(): Promise<void> {
      found = nothing();
      return Promise.resolve();
    },

    /** Adds invalid records that the sweep did not judge again, as an earlier one found them. */
    async standInvalid(): Promise<void> {
      for await (const page of forecasts.invalid(name)) {
        for (const record of page) {
          if (found.judged.has(record.key)) continue;
          found.total += 1;
          if (mayList('standing')) found.standing.push(describeInvalid(name, record, record.issues));
          noteInvalid(record.key, record.platformId, record.referenced, record.issues);
        }
      }
    },

    /** Makes one change of each UUID key that only changed case; gives how many there are. */
    respelled(): number {
      const old = new Set([...found.respelled.values()].filter((key) => found.vanished.has(key)));
      for (const key of old) {
        const as = found.vanished.get(key);
        if (as) found.does[as] -= 1;
      }
      found.total -= old.size;
      found.listed = found.listed.flatMap((change) => {
        if (change.action === 'vanished' && old.has(change.key)) return [];
        const isSame = change.action === 'new' && old.has(found.respelled.get(change.key) ?? '');
        return isSame ? { ...change, action: 'changed' as const } : change;
      });
      return old.size;
    },

    /** Once everything is taken: adds what waited, or was to be sent before, also those whose parent comes only now. */
    async end(end: Pick<PlannedParents, 'applied' | 'pushed' | 'read'>) {
      const { applied } = end;
      const { groups, coming, invalid, gone, listed, standing, total } = found;
      const waiting = applied ? found.waiting : createWaitingTally(name, parent);
      let before = counts.pending - (applied ? found.pending : 0);
      if (counts.waiting > 0) {
        for await (const page of forecasts.waiting(name)) {
          const ids = page.map(({ parentPlatformId }) => parentPlatformId);
          const waits = await readWaits(forecasts, parent, ids, above);
          for (const { parentPlatformId, count, keys } of page) {
            const left = count - (applied ? (found.waited.get(parentPlatformId) ?? 0) : 0);
            const wait = waits.get(parentPlatformId);
            if (wait && left > 0) waiting.add(wait, keys, left);
            else before += Math.max(left, 0);
          }
        }
      }
      waiting.settle(groups, above?.groups ?? null);
      const does = applied ? found.does : NOTHING_DONE;
      return {
        does: { ...does, before: Math.max(before, 0), waiting: waiting.total() },
        parents: { coming, invalid, gone, groups, ...end } satisfies PlannedParents,
        ...{ listed, standing, total },
      };
    },
  };
}

const NOTHING_DONE = { create: 0, update: 0, close: 0, delete: 0, kept: 0, gone: 0 };

type Doing = keyof typeof NOTHING_DONE;

interface GatherOptions {
  readonly entity: ConfiguredEntity;
  readonly state: Pick<PlanState, 'ledger' | 'forecasts'>;
  readonly counts: StatusCounts;
  /** What the plan found of the parents; null: it leaves them out, or the entity has none. */
  readonly above: PlannedParents | null;
  /** Of changes that are listed; invalid records, and those that were invalid before, have limits of their own. */
  readonly limit: number;
  readonly withDiff: boolean;
}

function kindOf({ finding, known }: Change): 'invalid' | 'standing' | 'other' {
  if (finding.kind !== 'invalid') return 'other';
  return known?.invalid ? 'standing' : 'invalid';
}

/** Keys of parents by platform id: of the ledger, and what the rows say of those that it does not have. */
async function namedParents(
  { parent }: ConfiguredEntity,
  forecasts: Forecasts,
  changes: readonly Change[],
  before: readonly KnownPayloads[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!parent) return names;
  for (const { finding, row } of changes) {
    const key = scalarText(row?.[parent.column]);
    if (finding.parentPlatformId !== null && !('fault' in key) && key.value !== null)
      names.set(finding.parentPlatformId, key.value);
  }
  const platformIds = [...names.keys(), ...before.flatMap(({ parentPlatformId }) => parentPlatformId ?? [])];
  const known = await forecasts.standings(parent.entity, { keys: [], platformIds });
  for (const { platformId, key } of known) names.set(platformId, key);
  return names;
}

function named(id: string | null | undefined, keys: ReadonlyMap<string, string> | null): NamedParent | null {
  return id ? { platformId: id, key: keys?.get(id) ?? null } : null;
}
