import { diffKeys } from '../../domain/diff/diff-keys.js';
import { recordName } from '../../entities/record-name.js';
import type { Emit } from '../../domain/events.js';
import type { JsonObject } from '../../domain/json.js';
import type { Ledger, LedgerEntry } from '../../ports/ledger.js';
import type { SourceReader, SourceRow } from '../../ports/source.js';
import type { StagedFinding } from '../../ports/staging.js';
import type { EntityPlan } from '../entity-plan.js';
import { emptyTally, tallyExamined, type ChangeTally } from './change-tally.js';
import { examineRow } from './examine-row.js';
import { withQueryNamed } from './name-query.js';
import { bucketCount, compareBuckets, sameDigest } from './unequal-buckets.js';
import type { Locate } from './locate.js';
import { vanishedFinding } from './vanished-finding.js';

/** Above this many rows to read, everything is streamed once instead. */
const MAX_KEYS = 100_000;

/** A finding and what the ledger had before. */
export interface Change {
  readonly finding: StagedFinding;
  readonly known: LedgerEntry | null;
}

/** Takes findings page by page; `restart` forgets what it took. */
export interface ChangeSink {
  take(changes: readonly Change[]): Promise<void>;
  restart(): Promise<void>;
}

export interface ReadChangesOptions {
  readonly plan: EntityPlan;
  readonly reader: SourceReader;
  readonly ledger: Ledger;
  readonly sink: ChangeSink;
  readonly emit: Emit;
  /** Read and map every row, whatever its version says. */
  readonly full: boolean;
  /** The mapping is the one of the last sweep. */
  readonly sameMapping: boolean;
  /** No sweep is known, or the ledger belongs to another platform since: ids may be others than it has. */
  readonly firstSweep: boolean;
  /** `YYYY-MM-DD HH:MM:SS` in the platform's zone. */
  readonly now: string;
  /** The platform ids of these rows, by key; null: the record has none. */
  readonly locate: Locate;
}

/**
 * Finds what is new, changed, gone or wrong in one entity and hands it to the sink. Constant memory.
 * Errors: SyncError of scope `entity` from the reader, `duplicate-key` and `key-order` from the diff.
 */
export async function readChanges(options: ReadChangesOptions): Promise<ChangeTally> {
  try {
    if (!options.full) {
      const tally = await readDifferences(options);
      if (tally) return tally;
      await options.sink.restart();
    }
    return await readEverything(options);
  } catch (error) {
    throw withQueryNamed(error, options.plan);
  }
}

/** Digest, buckets, keys, rows: as little as possible. Null when streaming everything is cheaper. */
async function readDifferences(options: ReadChangesOptions): Promise<ChangeTally | null> {
  const { plan, reader, ledger, sink } = options;
  const entity = plan.entity.name;
  const ours = await ledger.digest(entity);
  if (ours.count === 0) return null;
  const theirs = await reader.digest();
  const tally = { ...emptyTally(), read: theirs.count, known: ours.count };
  if (sameDigest(theirs, ours)) {
    return { ...tally, unchanged: ours.count - ours.invalid, invalid: ours.invalid };
  }

  const count = bucketCount(Math.max(ours.count, theirs.count));
  const compared = compareBuckets(
    await reader.bucketDigests(count),
    await ledger.bucketDigests(entity, count),
  );
  tally.unchanged = compared.equalCount - compared.equalInvalid;
  tally.invalid = compared.equalInvalid;

  const buckets = { count, numbers: compared.unequal };
  const needed = new Map<string, LedgerEntry | null>();
  for await (const page of diffKeys(reader.versions(buckets), ledger.entries(entity, buckets))) {
    const gone: LedgerEntry[] = [];
    for (const finding of page) {
      if (finding.kind === 'unchanged') tally[finding.ledger.invalid ? 'invalid' : 'unchanged'] += 1;
      else if (finding.kind === 'vanished') gone.push(finding.ledger);
      else if (finding.kind !== 'gone')
        needed.set(finding.source.key, finding.kind === 'new' ? null : finding.ledger);
    }
    if (needed.size > MAX_KEYS) return null;
    await sink.take(await vanish(options, tally, gone));
  }
  if (needed.size === 0) return tally;

  for await (const page of reader.rows([...needed.keys()])) {
    const rows = page.map((source) => ({ source, known: needed.get(source.key) ?? null }));
    const recalled = await recall(options, rows);
    await sink.take(rows.flatMap(({ source, known }) => examine(options, tally, source, known, recalled)));
  }
  return tally;
}

/** One ordered pass over all rows, merged with the ledger. */
async function readEverything(options: ReadChangesOptions): Promise<ChangeTally> {
  const { plan, reader, ledger, sink, emit, full, sameMapping } = options;
  const entity = plan.entity.name;
  const tally = emptyTally();
  for await (const page of diffKeys(reader.allRows(), ledger.entries(entity, null))) {
    const changes: Change[] = [];
    const gone: LedgerEntry[] = [];
    const recalled = await recall(
      options,
      page.flatMap((finding) =>
        'source' in finding && (full || finding.kind !== 'unchanged')
          ? [{ source: finding.source, known: finding.kind === 'new' ? null : finding.ledger }]
          : [],
      ),
    );
    for (const finding of page) {
      const known = finding.kind === 'new' ? null : finding.ledger;
      if (known && !known.vanished) tally.known += 1;
      if (finding.kind === 'vanished' || finding.kind === 'gone') {
        // Under another policy than before, those that are gone already are judged again.
        if (finding.kind === 'vanished' || !sameMapping) gone.push(finding.ledger);
        continue;
      }
      tally.read += 1;
      if (finding.kind === 'unchanged' && !full) tally[finding.ledger.invalid ? 'invalid' : 'unchanged'] += 1;
      else changes.push(...examine(options, tally, finding.source, known, recalled));
    }
    await sink.take([...changes, ...(await vanish(options, tally, gone))]);
    emit({ type: 'sweep-progress', entity, read: tally.read });
  }
  return tally;
}

/** What a page of rows is examined with. */
interface Recalled {
  /** Platform ids by key. */
  readonly ids: Awaited<ReturnType<Locate>>;
  /** What was noted of records that come under a new key, by platform id. */
  readonly notes: ReadonlyMap<string, JsonObject>;
}

async function recall(
  { plan, ledger, locate }: ReadChangesOptions,
  rows: readonly { readonly source: SourceRow; readonly known: LedgerEntry | null }[],
): Promise<Recalled> {
  const ids = await locate(rows.map(({ source }) => source));
  const appeared = rows.flatMap(({ source, known }) => (known === null ? (ids.get(source.key) ?? []) : []));
  const needsNotes = plan.entity.complete !== undefined && appeared.length > 0;
  return { ids, notes: needsNotes ? await ledger.notes(plan.entity.name, appeared) : new Map() };
}

function examine(
  { plan, emit, full, sameMapping, firstSweep, now }: ReadChangesOptions,
  tally: ChangeTally,
  source: SourceRow,
  known: LedgerEntry | null,
  { ids, notes }: Recalled,
): Change[] {
  const platformId = ids.get(source.key) ?? null;
  const noted = known?.noted ?? notes.get(platformId ?? '') ?? null;
  const examined = examineRow({ plan, source, known, noted, platformId, anew: firstSweep, now });
  const name = recordName(plan.entity.name, source.key, platformId);
  tallyExamined(tally, { ...source, name }, known, examined, full && sameMapping);
  const { finding } = examined;
  const [issue] = finding?.invalidReason ?? [];
  if (issue && !known?.invalid) {
    emit({ type: 'record-invalid', entity: plan.entity.name, key: name, message: issue.message });
  }
  return finding ? [{ finding, known }] : [];
}

async function vanish(
  { plan, ledger, now }: ReadChangesOptions,
  tally: ChangeTally,
  gone: readonly LedgerEntry[],
): Promise<Change[]> {
  if (plan.onVanished === 'ignore') return [];
  const keys = gone.map(({ key }) => key);
  // Reporting companies that are gone needs none of their payloads.
  const needsPayloads = keys.length > 0 && (plan.onVanished !== 'report' || plan.entity.lastDay !== null);
  const payloads = needsPayloads ? await ledger.payloads(plan.entity.name, keys) : new Map<string, never>();
  return gone.flatMap((known) => {
    const { finding, expired } = vanishedFinding(
      plan,
      known,
      payloads.get(known.key) ?? null,
      now.slice(0, 10),
    );
    if (known.vanished) {
      if (finding.desiredHash === known.desiredHash) return [];
      if (finding.desiredHash !== null) tally.settledAnew += 1;
    } else {
      tally.vanished += 1;
      if (expired) tally.expired += 1;
    }
    return [{ finding, known }];
  });
}
