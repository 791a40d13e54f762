import { platformTimestamp } from '../../core/contract/time.js';
import type { AreaStop } from '../../core/domain/area-condition.js';
import { SyncError, usageError } from '../../core/domain/errors.js';
import { describeDifference, describeParent, explainStatus } from './explain-status.js';
import { type Issue, issueText, shownIssue } from '../../core/domain/issue.js';
import { keySpellings } from '../../core/domain/key.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import { foldForm } from '../../core/domain/near-miss.js';
import { ABSENT_HASH, type FieldChange } from '../../core/domain/payload.js';
import { isDeferred } from '../../core/domain/reply/reply-rules.js';
import type { ShownState } from '../../core/domain/reply/reply.js';
import { type RecordEvent, recordEvents } from '../report/report.js';
import type { DeliveryOutcome } from '../../core/domain/delivery.js';
import type { JsonObject, Row, RowValue } from '../../core/domain/row.js';
import { codeText } from '../troubles/consequences.js';
import { TROUBLE_TEXTS } from '../troubles/describe-trouble.js';
import { causeText } from '../../core/domain/trouble/stop-causes.js';
import type { Mapped } from '../../core/entities/entity.js';
import { convertLarge } from '../../core/entities/plain-text.js';
import type { RecordView, RecordViews } from './record-views.js';
import type { EntityQuery, Source, SourceReader, SourceRow } from '../../core/ports/source.js';
import type { Deliveries } from '../report/deliveries.js';
import { composeBody } from '../../core/push/request.js';
import type { ConfiguredEntity, RunContext, RunState } from '../../core/context.js';
import { desiredPayload, locatorOf } from '../../core/sweep/examine-row.js';
import { compareWithLedger } from './compare-with-ledger.js';

/** What `explain --json` prints: public interface. */
export interface Explanation {
  readonly entity: string;
  readonly key: string;
  /** Null: foreign. */
  readonly platformId: string | null;
  /** `foreign`: an application status whose application never came by webhook: not in the ledger, never sent. */
  readonly status: RecordStatus | 'foreign';
  /** Present: the source no longer has it. The hold of its entity keeps that from being applied, so the status stays. */
  readonly keptBack?: true;
  /** From the ledger to the row as it is now, by field of the body; absent: nothing differs, or it is not known. */
  readonly differs?: readonly FieldChange[];
  readonly reason: string;
  readonly row: Row | null;
  readonly payload: JsonObject | null;
  readonly issues: readonly Issue[];
  /** Present: values that fit the interface and are probably wrong. They keep nothing from being sent. */
  readonly warnings?: readonly Issue[];
  readonly desiredHash: string | null;
  readonly acknowledgedHash: string | null;
  /** When it was read back last, ISO time; absent: never. */
  readonly lookedAt?: string;
  /** What the platform shows of it since it accepted it; absent: nothing is known. `since`: ISO time. */
  readonly atPlatform?: ShownState & { readonly since: string };
  readonly reference: string | null;
  readonly waitsFor: {
    readonly entity: string;
    readonly key: string | null;
    readonly platformId: string;
    readonly reason: string;
  } | null;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastReply: RecordView['lastReply'];
  /** The requests about it, the oldest first; no more than the latest thousand. */
  readonly timeline: readonly TimelineEntry[];
}

/** `entities`: all that are configured, because a record may wait for its parent. */
interface ExplainContext extends Pick<RunContext, 'source' | 'signal' | 'entities'> {
  readonly state: RunState & { readonly deliveries: Deliveries; readonly recordViews: RecordViews };
  readonly clock: Pick<RunContext['clock'], 'now'>;
  readonly settings: Pick<RunContext['settings'], 'platform' | 'sweep'>;
}

/**
 * Everything about one record: its row, the payload, its state in the ledger, and what happens next. A UUID is found
 * whatever its case; `asked` may also be the platform id. Errors: SyncError `usage` when neither source nor ledger has it;
 * `interrupted` when `signal` aborts, and `source-unavailable` when too many wait for the source.
 */
export async function explainRecord(
  context: ExplainContext,
  configured: ConfiguredEntity,
  asked: string,
): Promise<Explanation> {
  const { name: entity, onVanished, parent: link } = configured;
  const examined = await examine(context, configured, asked);
  const { view, found, error, key, today, mapped, foreign, id, desired, parent, waitsFor } = examined;
  const { entityState, area, difference, timeline } = examined;
  const { hold, pushHold } = entityState;
  const issues = mapped?.issues ?? view?.invalidReason ?? [];
  const keptBack = difference?.kind === 'gone' && hold && onVanished !== 'ignore' ? { onVanished } : null;
  const status = view?.status ?? (issues.length > 0 ? 'invalid' : waitsFor ? 'waiting' : 'pending');
  const payload = mapped ? (desired?.payload ?? null) : (view?.desiredPayload ?? null);
  const nextAttemptAt = status === 'deferred' ? isoTime(view?.nextAttemptAt) : null;
  const inLedger = explainStatus({
    status,
    ...ledgerFacts(view),
    firstIssue: issues[0] ? issueText(issues[0]) : null,
    waitsFor: waitsFor?.reason ?? null,
    nextAttemptAt,
    pausedUntil: isoTime(area?.pause?.until),
    areaStopped: area?.stop && !area.pause ? stopText(area.stop) : null,
    expiredOn: view && (view.expired || keptBack) ? overdue(configured, view, today) : null,
    exhausted: isExhausted(view, timeline.at(-1)),
    difference: difference && describeDifference(entity, difference),
    keptBack,
    entityHeld: hold ?? pushHold,
  });

  const reason = foreign ? FOREIGN : inLedger;
  const { reference = null, payload: sent } = parent ?? {};
  const employer = sent && reference !== null ? { reference, payload: sent } : null;
  return {
    entity,
    key,
    platformId: id,
    status: foreign && !view ? 'foreign' : status,
    ...(keptBack ? { keptBack: true } : {}),
    ...(difference && difference.changes.length > 0 ? { differs: difference.changes } : {}),
    reason: error === null ? reason : `${reason} The source could not be read: ${error}`,
    row: found && showable(found.row),
    payload: payload && composeBody(payload, link, employer),
    issues: issues.map(shownIssue),
    ...(mapped && mapped.warnings.length > 0 ? { warnings: mapped.warnings.map(shownIssue) } : {}),
    desiredHash: view?.desiredHash ?? desired?.hash ?? null,
    ...acknowledged(view),
    waitsFor: status === 'waiting' || !view ? waitsFor : null,
    attempts: view?.attempts ?? 0,
    nextAttemptAt,
    lastReply: view?.lastReply ?? null,
    timeline,
  };
}

/** What source and ledger have of a record: nothing is in words yet. */
async function examine(context: ExplainContext, configured: ConfiguredEntity, asked: string) {
  const { state, clock, settings } = context;
  const entity = configured.name;
  const view = await state.recordViews.find(entity, asked);
  const keys = [...keySpellings(asked), view?.key ?? asked];
  const { found, error } = await readRowOrError(context, configured.query, [...new Set(keys)]);
  const key = found?.key ?? view?.key ?? asked;
  if (!view && !found) {
    throw usageError(
      `Neither the query nor the ledger has ${entity} "${key}".`,
      error ?? `Keys are compared as text, to the letter. The query is ${configured.query.file}.`,
    );
  }
  const now = platformTimestamp(clock.now(), settings.platform.timeZone);
  const today = now.slice(0, 10);
  const mapped = found && (await mapRow(configured, found, { ...configured.mapContext, today }));
  // The id that a sweep would give the row; null: it is foreign.
  const located = found && ((await locatorOf(configured, state.inbox)([found])).get(found.key) ?? null);
  const foreign = found !== null && located === null;
  const id = view?.platformId ?? located;
  const notes = configured.complete && view && id !== null ? await state.ledger.notes(entity, [id]) : null;
  const desired =
    mapped && id !== null ? desiredPayload(configured, mapped, notes?.get(id) ?? null, id, now) : null;
  const parentId = mapped?.parentPlatformId ?? view?.parentPlatformId ?? null;
  const parent = await parentOf(state, entity, view, parentId);
  const waitsFor =
    parentId !== null && (parent?.reference ?? null) === null
      ? await readParent(context, configured, found?.row ?? null, { platformId: parentId, view: parent })
      : null;
  const entityState = await state.entityStates.read(entity);
  const area = await state.areaStates.read(configured.area);
  const compared = { view, source: found, mapped, hash: desired?.hash ?? null, state: entityState };
  const difference =
    error !== null || (view === null && foreign)
      ? null
      : compareWithLedger(configured, { ...compared, fullEveryMs: settings.sweep.fullEveryMs });
  const timeline = await readTimeline(state, entity, id);
  const record = { view, found, error, key, today, mapped, foreign, id, desired };
  return { ...record, parent, waitsFor, entityState, area, difference, timeline };
}

async function mapRow(
  configured: ConfiguredEntity,
  { row }: SourceRow,
  mapContext = configured.mapContext,
): Promise<Mapped> {
  await convertLarge([row], mapContext);
  return configured.map(row, mapContext);
}

async function parentOf(
  { recordViews }: ExplainContext['state'],
  entity: EntityName,
  view: RecordView | null,
  parentId: string | null,
): Promise<RecordView['parent']> {
  if (view?.parent && view.parentPlatformId === parentId) return view.parent;
  return parentId === null ? null : recordViews.parent(entity, parentId);
}

/** What the ledger says of a record, for `explainStatus`. */
function ledgerFacts(view: RecordView | null) {
  return {
    inLedger: view !== null,
    acceptedAt: isoTime(view?.acknowledgedAt),
    lookedAt: isoTime(view?.lookedAt),
    drifted: view?.drifted ?? false,
    lastError: view?.lastReply?.error ?? null,
    atPlatform: view?.atPlatform ?? null,
    confirmAt: isoTime(view?.confirmAt),
    vanishedAs: vanishedAs(view),
  };
}

/** What the platform has of it, as far as it said so. */
function acknowledged(view: RecordView | null) {
  const { lookedAt, atPlatform } = view ?? {};
  return {
    acknowledgedHash: view?.acknowledgedHash ?? null,
    ...(lookedAt ? { lookedAt: lookedAt.toISOString() } : {}),
    ...(atPlatform ? { atPlatform: { ...atPlatform, since: atPlatform.since.toISOString() } } : {}),
    reference: view?.reference ?? null,
  };
}

function isoTime(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null;
}

/** As run, status and the pages have it. */
function stopText({ code, cause }: AreaStop): string | null {
  return causeText(cause, 'en')?.says ?? codeText(TROUBLE_TEXTS.en.errorCodes, code);
}

/** The last reply only deferred: the record used up its attempts. By its status where the journal does not reach. */
function isExhausted(view: RecordView | null, last: TimelineEntry | undefined): boolean {
  return last ? last.outcome !== 'rejected' : isDeferred(view?.lastReply?.statusCode ?? null);
}

const FOREIGN =
  'No application for this row came by webhook, so the row is foreign: counted, never sent, checked again at every sweep. ' +
  'If its ids are the platform’s own, set requireInbox: false.';

/** The row without values nested too deeply for JSON: they are its error. */
function showable(row: Row): Row {
  const shown = (value: RowValue): RowValue => {
    try {
      JSON.stringify(value);
      return value;
    } catch {
      return '… (nested too deeply to be shown)';
    }
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)]));
}

/** Its last day, when that is over. `today`: `YYYY-MM-DD` in the platform's zone. */
function overdue(
  { lastDay }: Pick<ConfiguredEntity, 'lastDay'>,
  { desiredPayload }: RecordView,
  today: string,
): string | null {
  const day = lastDay === null ? null : desiredPayload?.[lastDay];
  return typeof day === 'string' && day < today ? day : null;
}

function vanishedAs(view: RecordView | null): 'closed' | 'deleted' | null {
  const desired = view?.vanishedAt ? view.desiredHash : null;
  if (desired === null) return null;
  return desired === ABSENT_HASH ? 'deleted' : 'closed';
}

/**
 * Why the parent of a record has no reference. The ledger has a parent only once a sweep of its entity was applied, so
 * its query is asked too. `row`: of the child. `view`: of the parent in the ledger; null: it is not there.
 */
async function readParent(
  { source, state, signal, entities }: Pick<RunContext, 'source' | 'state' | 'signal' | 'entities'>,
  { parent: link }: Pick<ConfiguredEntity, 'parent'>,
  row: Row | null,
  { platformId, view }: { readonly platformId: string; readonly view: RecordView['parent'] },
): Promise<Explanation['waitsFor']> {
  if (link === null) return null;
  const named = row?.[link.column];
  const key = view?.key ?? (typeof named === 'string' ? named : null);
  const configured = entities.find(({ name }) => name === link.entity);
  const asks = configured !== undefined && key !== null && (view === null || view.status === 'invalid');
  const read = asks
    ? await readRowOrError({ source, signal }, configured.query, [...new Set([...keySpellings(key), key])])
    : { found: null, error: asks ? null : 'not asked' };
  const mapped = read.found && configured && (await mapRow(configured, read.found));
  const [issue] = mapped?.issues ?? [];
  const isMissing = asks && read.error === null && read.found === null;
  const near = isMissing ? await nearKey({ source, signal }, configured.query, key) : null;
  const { lastSweepAt, hold } = await state.entityStates.read(link.entity);
  const reason = describeParent({
    entity: link.entity,
    key,
    status: view?.status ?? null,
    firstIssue: issue ? issueText(issue) : null,
    inSource: read.error === null ? read.found !== null : null,
    near,
    sweptAt: isoTime(lastSweepAt),
    hold,
  });
  return { entity: link.entity, key, platformId, reason };
}

/** The key of the query that differs from this one only in its form; null: none does. One pass over the keys. */
async function nearKey(
  { source, signal }: Pick<RunContext, 'source' | 'signal'>,
  query: EntityQuery,
  key: string,
): Promise<string | null> {
  const form = foldForm(key);
  const find = async (reader: SourceReader) => {
    for await (const page of reader.versions(null))
      for (const each of page) if (each.key !== key && foldForm(each.key) === form) return each.key;
    return null;
  };
  try {
    return await source.read(query, find, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    // It only says more about what is known already.
    return null;
  }
}

/** The first row under one of these keys; or why it could not be read. Errors: `interrupted`, or a busy source. */
async function readRowOrError(
  { source, signal }: Pick<RunContext, 'source' | 'signal'>,
  query: EntityQuery,
  keys: readonly string[],
): Promise<{ readonly found: SourceRow | null; readonly error: string | null }> {
  try {
    return { found: await readRow(source, query, keys, signal), error: null };
  } catch (error) {
    // The caller left or may try again; the record is not at fault.
    if (!(error instanceof SyncError) || error.code === 'interrupted' || error.details.busy === true)
      throw error;
    return { found: null, error: error.message };
  }
}

/** The first row that the partner's query has under one of these keys; null: none. Errors: those of `Source.read`. */
export function readRow(
  source: Source,
  query: EntityQuery,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<SourceRow | null> {
  return source.read(
    query,
    async (reader) => {
      for await (const page of reader.rows(keys)) {
        const [first] = page;
        if (first) return first;
      }
      return null;
    },
    signal,
  );
}

/** Requests that are read of one record: twice a day for a year are fewer. */
const MOST = 1_000;

/** One request about a record, as `explain --json` prints it: public interface. */
export interface TimelineEntry {
  /** What it did to the record, or tried to. */
  readonly event: RecordEvent;
  readonly requestId: string;
  readonly operation: string;
  readonly claimedAt: string;
  readonly answeredAt: string;
  /** Null: no reply. */
  readonly statusCode: number | null;
  readonly outcome: DeliveryOutcome;
  readonly reason: string | null;
}

/** The requests about a record, the oldest first. `platformId` null: it has none, so nothing was sent. */
async function readTimeline(
  { deliveries }: { readonly deliveries: Deliveries },
  entity: EntityName,
  platformId: string | null,
): Promise<readonly TimelineEntry[]> {
  if (platformId === null) return [];
  const found = await deliveries.timeline(entity, platformId, MOST);
  const events = recordEvents(found);
  return found.map(({ requestId, operation, claimedAt, answeredAt, statusCode, outcome, reason }, index) => ({
    event: events[index] ?? 'updated',
    requestId,
    operation,
    claimedAt: claimedAt.toISOString(),
    answeredAt: answeredAt.toISOString(),
    statusCode,
    outcome,
    reason,
  }));
}
