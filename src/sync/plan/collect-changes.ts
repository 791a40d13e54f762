import { uuidText } from '../../domain/key.js';
import { scalarText } from '../../entities/values.js';
import type { Forecasts, StandingInvalid } from '../../ports/forecasts.js';
import type { KnownPayloads } from '../../ports/ledger.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { Change } from '../sweep/read-changes.js';
import type { PlanState } from './plan-state.js';
import { describeChange, describeInvalid, type NamedParent, type PlannedChange } from './describe-change.js';

/** Lists the first changes of what a sweep would stage; writes nothing. */
export interface ChangeCollector {
  take(changes: readonly Change[]): Promise<void>;
  restart(): void;
  /** An invalid record that the sweep did not judge. False: the sweep did. */
  standInvalid(record: StandingInvalid): boolean;
  listed(): readonly PlannedChange[];
  /** Invalid records that were invalid before: no news, and often many. */
  standing(): readonly PlannedChange[];
  /** How many there are, listed or not. */
  total(): number;
  /** UUID keys that only changed case: counted as vanished and new, but the record stays. */
  renamed(): number;
}

export interface CollectOptions {
  /** Of changes that are listed. */
  readonly limit: number;
  /** Separate limits for invalid records, and for those that were invalid before; null: the common limit. */
  readonly invalid: { readonly limit: number; readonly standingLimit: number } | null;
  readonly withDiff: boolean;
}

export function collectChanges(
  entity: ConfiguredEntity,
  { ledger, forecasts }: Pick<PlanState, 'ledger' | 'forecasts'>,
  { limit, invalid, withDiff }: CollectOptions,
): ChangeCollector {
  const whole = () => ({ invalid: invalid?.limit ?? 0, standing: invalid?.standingLimit ?? 0, other: limit });
  let listed: PlannedChange[] = [];
  let standing: PlannedChange[] = [];
  let total = 0;
  let left = whole();
  const mayList = (kind: keyof typeof left) => {
    const counted = invalid === null ? 'other' : kind;
    if (left[counted] <= 0) return false;
    left[counted] -= 1;
    return true;
  };
  let vanished = new Set<string>();
  let appeared = new Set<string>();
  /** Keys of records that were invalid, and of which the sweep found something. */
  let judged = new Set<string>();
  const renamed = () => [...appeared].filter((id) => vanished.has(id));

  return {
    listed() {
      const same = new Set(renamed());
      return listed
        .filter(({ action, key }) => action !== 'vanished' || !same.has(uuidText(key) ?? ''))
        .map((change) =>
          change.action === 'new' && same.has(uuidText(change.key) ?? '')
            ? { ...change, action: 'changed' as const }
            : change,
        );
    },
    standing: () => standing,
    renamed: () => renamed().length,
    total: () => total - renamed().length,

    restart() {
      listed = [];
      standing = [];
      total = 0;
      left = whole();
      vanished = new Set();
      appeared = new Set();
      judged = new Set();
    },

    standInvalid(record) {
      if (judged.has(record.key)) return false;
      total += 1;
      if (mayList('standing')) standing.push(describeInvalid(entity.name, record, record.issues));
      return true;
    },

    async take(changes) {
      for (const { finding, known } of changes) {
        const id = uuidText(finding.key);
        if (id !== null && finding.kind === 'vanished') vanished.add(id);
        if (id !== null && known === null) appeared.add(id);
        if (known?.invalid) judged.add(finding.key);
      }
      const real = changes.filter(({ finding }) => finding.kind !== 'touched');
      total += real.length;
      const shown = real.filter((change) => mayList(kindOf(change)));
      const keys = shown
        .filter(({ finding }) => finding.kind !== 'new' && finding.kind !== 'invalid')
        .map(({ finding }) => finding.key);
      const payloads =
        keys.length > 0 ? await ledger.payloads(entity.name, keys) : new Map<string, KnownPayloads>();
      const parents = withDiff ? await namedParents(entity, forecasts, shown, [...payloads.values()]) : null;
      for (const change of shown) {
        const known = payloads.get(change.finding.key);
        const id = change.finding.parentPlatformId;
        const before = { payload: known?.desired ?? null, parent: named(known?.parentPlatformId, parents) };
        (kindOf(change) === 'standing' ? standing : listed).push(
          describeChange(entity, change, { before, after: named(id, parents), withDiff }),
        );
      }
    },
  };
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
