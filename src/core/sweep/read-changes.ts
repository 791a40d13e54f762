import { platformTimestamp } from '../contract/time.js';
import { diffKeys } from '../domain/diff.js';
import { type Issue, messageOf } from '../domain/issue.js';
import { ABSENT_HASH, changedFields, hashPayload } from '../domain/payload.js';
import type { JsonObject, Row } from '../domain/row.js';
import { convertLarge } from '../entities/plain-text.js';
import type { StagedFinding } from '../ledger/staging.js';
import type { Digest, SourceReader, SourceRow } from '../ports/source.js';
import type { ConfiguredEntity, RunContext, RunState } from '../context.js';
import { createPauses, type Pauses } from '../runtime/time.js';
import {
  type ChangeTally,
  emptyTally,
  hasSameMapping,
  idsMayDiffer,
  isFull,
  isRewritten,
  type SweepReason,
  tallyExamined,
  tallyFields,
} from './change-tally.js';
import { examineRow, type Locate, locatorOf, withQueryNamed } from './examine-row.js';
import type { KnownPayloads, Ledger, LedgerDigest, LedgerEntry } from '../ledger/ledger.js';

/**
 * Finds what differs between the source and the ledger, in constant memory.
 *
 * A sweep that has to read only what differs narrows it down: the digests of both sides, then those of buckets, then
 * keys and row versions, then the rows that are needed. A full sweep, or one with too many differences, merges all rows
 * with the ledger in one ordered pass. Either way each row is examined against its ledger entry (examine-row.ts) and
 * counted (change-tally.ts), a record that the source no longer has becomes what its entity's policy desires
 * (`vanishedFinding`), and the sink takes the findings page by page.
 */

/** Above this many rows to read, one pass streams everything instead. */
const MAX_KEYS = 100_000;

/** A finding and what the ledger had before. */
export interface Change {
  readonly finding: StagedFinding;
  readonly known: LedgerEntry | null;
  /** Null: the source does not have it. */
  readonly row: Row | null;
}

/** Takes findings page by page; `restart` forgets what it took. */
export interface ChangeSink {
  take(changes: readonly Change[]): Promise<void>;
  /** Warnings of one row that is read; also of an unchanged one. */
  warn?(key: string, warnings: readonly Issue[]): void;
  restart(): Promise<void>;
}

export interface ReadState {
  readonly ledger: Pick<Ledger, 'digest' | 'bucketDigests' | 'entries' | 'notes' | 'payloads'>;
  readonly inbox: Pick<RunState['inbox'], 'knownApplications'>;
}

interface Reading extends Pick<RunContext, 'clock' | 'emit' | 'settings'> {
  readonly state: ReadState;
  readonly entity: ConfiguredEntity;
  readonly reader: SourceReader;
  readonly sink: ChangeSink;
  readonly reason: SweepReason;
}

/** A reading, and what all its rows share. */
interface Pass extends Reading {
  readonly locate: Locate;
  /** `YYYY-MM-DD HH:MM:SS` in the platform's zone. */
  readonly now: string;
  readonly pauses: Pauses;
}

/**
 * Finds what is new, changed, vanished or invalid in one entity and hands it to the sink. Constant memory.
 * Errors: SyncError of scope `entity` from the reader, `duplicate-key` and `key-order` from the diff.
 */
export async function readChanges(reading: Reading): Promise<ChangeTally> {
  const { state, clock, settings, sink } = reading;
  const now = platformTimestamp(clock.now(), settings.platform.timeZone);
  const mapContext = { ...reading.entity.mapContext, today: now.slice(0, 10) };
  const entity = { ...reading.entity, mapContext };
  const pass = { ...reading, entity, now, locate: locatorOf(entity, state.inbox), pauses: createPauses() };
  try {
    if (!isFull(reading.reason)) {
      const tally = await readDifferences(pass);
      if (tally) return tally;
      await sink.restart();
    }
    return await readEverything(pass);
  } catch (error) {
    throw withQueryNamed(error, entity.query);
  }
}

/** Reads digest, buckets, keys, rows: as little as possible. Null when streaming everything is cheaper. */
async function readDifferences(pass: Pass): Promise<ChangeTally | null> {
  const { reader, sink } = pass;
  const { ledger } = pass.state;
  const entity = pass.entity.name;
  // Both at once, also in one database: only a sweep changes keys and versions in the ledger, and there is only this one.
  const [ours, theirs] = await Promise.all([ledger.digest(entity), reader.digest()]);
  if (ours.count === 0) return null;
  const tally = { ...emptyTally(), read: theirs.count, known: ours.count, knownInvalid: ours.invalid };
  if (sameDigest(theirs, ours)) {
    return { ...tally, unchanged: ours.count - ours.invalid, invalid: ours.invalid };
  }

  const compared = await findUnequalBuckets(Math.max(ours.count, theirs.count), (count) =>
    Promise.all([reader.bucketDigests(count), ledger.bucketDigests(entity, count)]),
  );
  tally.unchanged = compared.equalCount - compared.equalInvalid;
  tally.invalid = compared.equalInvalid;

  const buckets = { count: compared.count, numbers: compared.unequal };
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
    await sink.take(await vanish(pass, tally, gone));
  }
  if (needed.size === 0) return tally;

  for await (const page of reader.rows([...needed.keys()])) {
    const rows = page.map((source) => ({ source, known: needed.get(source.key) ?? null }));
    const recalled = await recall(pass, rows);
    const changes: Change[] = [];
    for (const { source, known } of rows) {
      if (pass.pauses.isDue()) await pass.pauses.take();
      changes.push(...examine(pass, tally, source, known, recalled));
    }
    await noteFields(pass, tally, changes);
    await sink.take(changes);
  }
  return tally;
}

/** One ordered pass over all rows, merged with the ledger. */
async function readEverything(pass: Pass): Promise<ChangeTally> {
  const { reader, sink, emit, reason } = pass;
  const { ledger } = pass.state;
  const entity = pass.entity.name;
  const full = isFull(reason);
  const tally = emptyTally();
  for await (const page of diffKeys(reader.allRows(), ledger.entries(entity, null))) {
    const changes: Change[] = [];
    const gone: LedgerEntry[] = [];
    const recalled = await recall(
      pass,
      page.flatMap((finding) =>
        'source' in finding && (full || finding.kind !== 'unchanged')
          ? [{ source: finding.source, known: finding.kind === 'new' ? null : finding.ledger }]
          : [],
      ),
    );
    for (const finding of page) {
      const known = finding.kind === 'new' ? null : finding.ledger;
      if (known && !known.vanished) {
        tally.known += 1;
        if (known.invalid) tally.knownInvalid += 1;
      }
      if (finding.kind === 'vanished' || finding.kind === 'gone') {
        // Under a new policy, records that vanished earlier are judged again.
        if (finding.kind === 'vanished' || !hasSameMapping(reason)) gone.push(finding.ledger);
        continue;
      }
      tally.read += 1;
      if (finding.kind === 'unchanged' && !full) tally[finding.ledger.invalid ? 'invalid' : 'unchanged'] += 1;
      else {
        if (pass.pauses.isDue()) await pass.pauses.take();
        changes.push(...examine(pass, tally, finding.source, known, recalled));
      }
    }
    await noteFields(pass, tally, changes);
    await sink.take([...changes, ...(await vanish(pass, tally, gone))]);
    emit({ type: 'sweep-progress', entity, read: tally.read });
  }
  return tally;
}

interface Recalled {
  readonly ids: Awaited<ReturnType<Locate>>;
  /** What was noted of records that come under a new key, by platform id. */
  readonly notes: ReadonlyMap<string, JsonObject>;
}

async function recall(
  { entity, state, locate }: Pass,
  rows: readonly { readonly source: SourceRow; readonly known: LedgerEntry | null }[],
): Promise<Recalled> {
  const ids = await locate(rows.map(({ source }) => source));
  await convertLarge(
    rows.map(({ source }) => source.row),
    entity.mapContext,
  );
  const appeared = rows.flatMap(({ source, known }) => (known === null ? (ids.get(source.key) ?? []) : []));
  const needsNotes = entity.complete !== undefined && appeared.length > 0;
  return { ids, notes: needsNotes ? await state.ledger.notes(entity.name, appeared) : new Map() };
}

function examine(
  { entity, emit, reason, now, sink }: Pass,
  tally: ChangeTally,
  source: SourceRow,
  known: LedgerEntry | null,
  { ids, notes }: Recalled,
): Change[] {
  const platformId = ids.get(source.key) ?? null;
  const noted = known?.noted ?? notes.get(platformId ?? '') ?? null;
  const examined = examineRow({
    entity,
    source,
    known,
    noted,
    platformId,
    idsMayDiffer: idsMayDiffer(reason),
    now,
  });
  tallyExamined(tally, source, known, examined, reason);
  if (examined.warnings.length > 0) sink.warn?.(source.key, examined.warnings);
  const { finding } = examined;
  const [issue] = finding?.invalidReason ?? [];
  if (issue && !known?.invalid) {
    emit({ type: 'record-invalid', entity: entity.name, key: source.key, message: messageOf(issue) });
  }
  return finding ? [{ finding, known, row: source.row }] : [];
}

/** Notes in what rewritten records differ; a payload that was dropped does not say. */
async function noteFields(
  { entity, state, reason }: Pass,
  tally: ChangeTally,
  changes: readonly Change[],
): Promise<void> {
  const rewritten = changes.filter(({ finding, known }) => isRewritten(finding.kind, known, reason));
  if (rewritten.length === 0) return;
  const keys = rewritten.map(({ finding }) => finding.key);
  const before = await state.ledger.payloads(entity.name, keys);
  for (const { finding } of rewritten) {
    const known = before.get(finding.key);
    if (!known?.desired) continue;
    const fields = changedFields(known.desired, finding.desiredPayload).map(({ field }) => field);
    const moved = entity.parent !== null && known.parentPlatformId !== finding.parentPlatformId;
    tallyFields(tally, moved ? [...fields, entity.parent.field] : fields);
  }
}

async function vanish(
  { entity, state, now }: Pass,
  tally: ChangeTally,
  gone: readonly LedgerEntry[],
): Promise<Change[]> {
  tally.validGone += gone.filter(({ invalid, vanished }) => !invalid && !vanished).length;
  if (entity.onVanished === 'ignore') return [];
  const keys = gone.map(({ key }) => key);
  // Reporting vanished companies needs none of their payloads.
  const needsPayloads = keys.length > 0 && (entity.onVanished !== 'report' || entity.lastDay !== null);
  const payloads = needsPayloads ? await state.ledger.payloads(entity.name, keys) : new Map<string, never>();
  return gone.flatMap((known) => {
    const finding = vanishedFinding(entity, known, payloads.get(known.key) ?? null, now.slice(0, 10));
    if (known.vanished) {
      if (finding.desiredHash === known.desiredHash) return [];
      if (finding.desiredHash !== null) tally.settledAnew += 1;
    } else {
      tally.vanished += 1;
      if (finding.expired) tally.expired += 1;
      else if (known.neverThere) tally.neverThere += 1;
    }
    return [{ finding, known, row: null }];
  });
}

/** Few enough to group by: of a million records, four times as many took half as long again. */
const USUAL_BUCKETS = 16_384;

/** For many changes in very many records: then fewer keys are worth more than the groups. */
const MOST_BUCKETS = 65_536;

/** From this share of the records on, the keys to fetch cost more than to group both sides once more. */
const MANY_KEYS = 1 / 8;

type BothSides = readonly [source: ReadonlyMap<number, Digest>, ledger: ReadonlyMap<number, LedgerDigest>];

/**
 * The buckets in which two sides of `records` records differ, and of how many buckets they are. `read` gives the digests
 * of both sides for a number of buckets, a power of two.
 */
export async function findUnequalBuckets(
  records: number,
  read: (count: number) => Promise<BothSides>,
): Promise<BucketComparison & { readonly count: number }> {
  const usual = bucketCount(records, USUAL_BUCKETS);
  const compared = compareBuckets(...(await read(usual)));
  const finer = bucketCount(records, MOST_BUCKETS);
  if (finer === usual || compared.unequalCount < records * MANY_KEYS) return { ...compared, count: usual };
  return { ...compareBuckets(...(await read(finer))), count: finer };
}

/** About 16 records a bucket: few keys to fetch for one change. */
function bucketCount(records: number, most: number): number {
  const atLeast = Math.max(1, Math.min(most, records / 16));
  return 2 ** Math.ceil(Math.log2(atLeast));
}

/** Whether both sides hold the same keys in the same versions. A record without version is always read. */
export function sameDigest(source: Digest, ledger: Digest): boolean {
  return (
    source.unversioned === 0 &&
    source.count === ledger.count &&
    source.sum0 === ledger.sum0 &&
    source.sum1 === ledger.sum1
  );
}

interface BucketComparison {
  /** Buckets to compare key by key. */
  readonly unequal: readonly number[];
  /** How many keys these have, on the side that has more of them. */
  readonly unequalCount: number;
  /** Of the equal ones: records, and how many of them are invalid. */
  readonly equalCount: number;
  readonly equalInvalid: number;
}

/** Compares the two sides bucket by bucket; a bucket that is missing on one side is empty there. */
export function compareBuckets(
  source: ReadonlyMap<number, Digest>,
  ledger: ReadonlyMap<number, LedgerDigest>,
): BucketComparison {
  const unequal: number[] = [];
  let unequalCount = 0;
  let equalCount = 0;
  let equalInvalid = 0;
  for (const number of new Set([...source.keys(), ...ledger.keys()])) {
    const ours = ledger.get(number);
    const theirs = source.get(number);
    if (theirs && ours && sameDigest(theirs, ours)) {
      equalCount += ours.count;
      equalInvalid += ours.invalid;
    } else {
      unequal.push(number);
      unequalCount += Math.max(ours?.count ?? 0, theirs?.count ?? 0);
    }
  }
  return { unequal: unequal.sort((a, b) => a - b), unequalCount, equalCount, equalInvalid };
}

/**
 * What is desired of a record whose key the source no longer has, by the entity's policy. `known`: null when the ledger
 * holds no payload of it. `today`: `YYYY-MM-DD` in the platform's zone. One whose last day is past is `expired`: its end
 * was expected, so guards do not count it and nothing is sent.
 */
export function vanishedFinding(
  entity: ConfiguredEntity,
  entry: Pick<LedgerEntry, 'key'>,
  known: KnownPayloads | null,
  today: string,
): StagedFinding {
  const expired = isExpired(entity, known, today);
  return {
    kind: 'vanished',
    key: entry.key,
    platformId: null,
    rowVersion: null,
    invalidReason: null,
    ...(expired ? { expired } : {}),
    ...(expired || known === null ? NOTHING : desiredBy(entity, known)),
  };
}

type Desired = Pick<StagedFinding, 'desiredHash' | 'desiredPayload' | 'parentPlatformId'>;

const NOTHING: Desired = { desiredHash: null, desiredPayload: null, parentPlatformId: null };

/** The payload stays stored, for `explain` and for a record that returns. */
const ABSENT: Desired = { desiredHash: ABSENT_HASH, desiredPayload: null, parentPlatformId: null };

function desiredBy(
  { onVanished, closedStatus, statusField, parent }: ConfiguredEntity,
  known: KnownPayloads,
): Desired {
  if (onVanished === 'report' || onVanished === 'ignore') return NOTHING;
  // What the platform deleted needs no second delete, and a closing would create it again.
  if (onVanished === 'delete' || known.deleted) return ABSENT;
  const last = known.acknowledged ?? known.desired;
  if (last === null || statusField === null) return NOTHING;
  const desiredPayload: JsonObject = { ...last, [statusField]: closedStatus };
  // Payload and parent belong together: its new parent may never be accepted.
  const parentPlatformId = known.acknowledged ? known.acknowledgedParentPlatformId : known.parentPlatformId;
  const link =
    parent && parentPlatformId !== null ? { field: parent.field, platformId: parentPlatformId } : null;
  return { desiredHash: hashPayload(desiredPayload, link), desiredPayload, parentPlatformId };
}

function isExpired({ lastDay }: ConfiguredEntity, known: KnownPayloads | null, today: string): boolean {
  const day = lastDay === null ? undefined : (known?.desired ?? known?.acknowledged)?.[lastDay];
  return typeof day === 'string' && day < today;
}
