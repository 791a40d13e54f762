import { platformTimestamp } from '../../contract/platform-timestamp.js';
import { SyncError } from '../../domain/errors.js';
import { explainStatus } from '../../domain/explain-status.js';
import { issueText, type Issue } from '../../domain/issue.js';
import type { JsonObject } from '../../domain/json.js';
import { recordName } from '../../entities/record-name.js';
import { uuidText } from '../../domain/key/uuid-text.js';
import { ABSENT_HASH } from '../../domain/payload/hash-payload.js';
import type { RecordStatus } from '../../domain/record-status.js';
import type { Row, RowValue } from '../../domain/row.js';
import type { Mapped } from '../../entities/entity.js';
import type { Clock } from '../../ports/clock.js';
import type { RecordView } from '../../ports/records.js';
import type { EntityPlan } from '../entity-plan.js';
import { entityQuery } from '../sweep/entity-query.js';
import { composeBody } from '../push/compose-body.js';
import type { RunDependencies } from '../run-dependencies.js';
import { locatorOf } from '../sweep/locate.js';
import { wantedPayload } from '../sweep/wanted-payload.js';

/** What `explain --json` prints: public interface. */
export interface Explanation {
  readonly entity: string;
  /** As asked for, or of `recordName`. */
  readonly key: string;
  /** Null: foreign. */
  readonly platformId: string | null;
  /** `foreign`: an application status of which no application came by webhook. It is in no ledger and never sent. */
  readonly status: RecordStatus | 'foreign';
  readonly reason: string;
  readonly row: Row | null;
  readonly payload: JsonObject | null;
  readonly issues: readonly Issue[];
  readonly desiredHash: string | null;
  readonly acknowledgedHash: string | null;
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
}

/**
 * Everything about one record: what the source says now, what it maps to, what the ledger knows, and what happens
 * next. A UUID is found whatever its case; `asked` may also be the platform id, which stands for application statuses
 * wherever they are named. `timeZone`: the platform's. Errors: SyncError `usage` when neither source nor ledger has it;
 * `interrupted` when `signal` aborts, and `source-unavailable` when too many wait for the source.
 */
export async function explainRecord(
  {
    source,
    state,
    clock,
    signal,
  }: Pick<RunDependencies, 'source' | 'state' | 'signal'> & { readonly clock: Pick<Clock, 'now'> },
  plan: EntityPlan,
  asked: string,
  timeZone: string,
): Promise<Explanation> {
  const entity = plan.entity.name;
  const view = await state.records.find(entity, asked);
  const byApplication = view || !plan.entity.application ? [] : await keysOfApplication({ state }, asked);
  const keys = [asked, view?.key ?? asked, ...casesOf(asked), ...byApplication];
  const row = await readRow({ source, signal }, plan, [...new Set(keys)]);
  const key = row.key ?? view?.key ?? asked;
  if (!view && !row.found) {
    throw new SyncError(
      'usage',
      `Neither the query nor the ledger has ${entity} "${recordName(entity, key, null)}".`,
      {
        scope: 'usage',
        hint: row.error ?? `Keys are compared as text, to the letter. The query is ${plan.queryFile}.`,
      },
    );
  }
  const mapped = row.found ? plan.entity.map(row.found, plan.mapContext) : null;
  const located = row.found ? await locate({ state }, plan, key, row.found) : null;
  const foreign = row.found !== null && located === null;
  const id = view?.platformId ?? located;
  const notes = plan.entity.complete && view && id !== null ? await state.ledger.notes(entity, [id]) : null;
  const now = platformTimestamp(clock.now(), timeZone);
  const wanted =
    mapped && id !== null ? wantedPayload(plan.entity, mapped, notes?.get(id) ?? null, id, now) : null;
  const hash = wanted?.hash ?? null;
  const parentId = mapped?.parentPlatformId ?? view?.parentPlatformId ?? null;
  const parent =
    view?.parent && view.parentPlatformId === parentId
      ? view.parent
      : parentId === null
        ? null
        : await state.records.parent(entity, parentId);
  const issues = mapped?.issues ?? view?.invalidReason ?? [];
  const link = plan.entity.parent;
  const waitsFor =
    link && parentId !== null && !parent?.reference
      ? {
          entity: link.entity,
          key: parent?.key ?? parentKeyOf(row.found, link.column),
          platformId: parentId,
          reason: parentReason(link.entity, parent),
        }
      : null;
  const unseen = issues.length > 0 ? 'invalid' : waitsFor ? 'waiting' : 'pending';
  const status = view?.status ?? unseen;
  const { hold, pushHold } = await state.entityStates.read(entity);
  const payload = mapped ? (wanted?.payload ?? null) : (view?.desiredPayload ?? null);
  const employer =
    parent?.reference && parent.payload ? { reference: parent.reference, payload: parent.payload } : null;
  const nextAttemptAt = status === 'deferred' ? (view?.nextAttemptAt?.toISOString() ?? null) : null;
  const inLedger = explainStatus({
    status,
    inSource: row.found !== null,
    everAcknowledged: Boolean(view?.acknowledgedAt),
    lastError: view?.lastReply?.error ?? null,
    firstIssue: issues[0] ? issueText(issues[0]) : null,
    waitsFor: waitsFor?.reason ?? null,
    nextAttemptAt,
    confirmAt: view?.confirmAt?.toISOString() ?? null,
    vanishedAs: vanishedAs(view),
    exhausted: isTransient(view?.lastReply?.statusCode ?? null),
    sourceDiffers: differsFromLedger(view, mapped, hash),
    newerApplication: isAnother(view, located),
    entityHeld: hold?.message ?? pushHold?.message ?? null,
  });

  const reason = foreign ? FOREIGN : inLedger;
  return {
    entity,
    key: key === asked ? key : recordName(entity, key, id),
    platformId: id,
    status: foreign && !view ? 'foreign' : status,
    reason: row.error === null ? reason : `${reason} The source could not be read: ${row.error}`,
    row: row.found && showable(row.found),
    payload: payload && composeBody(payload, link, employer),
    issues,
    desiredHash: view?.desiredHash ?? hash,
    acknowledgedHash: view?.acknowledgedHash ?? null,
    reference: view?.reference ?? null,
    waitsFor: status === 'waiting' || !view ? waitsFor : null,
    attempts: view?.attempts ?? 0,
    nextAttemptAt,
    lastReply: view?.lastReply ?? null,
  };
}

const FOREIGN =
  'No application of this row came by webhook, so it is foreign: counted, never sent, and judged again at every sweep. ' +
  'If its ids are the platform’s all the same, set requireInbox: false.';

/** The id that a sweep would give the row; null: it is foreign. */
async function locate(
  { state }: Pick<RunDependencies, 'state'>,
  plan: EntityPlan,
  key: string,
  row: Row,
): Promise<string | null> {
  const ids = await locatorOf(plan, state.inbox)([{ key, row, rowVersion: null }]);
  return ids.get(key) ?? null;
}

async function readRow(
  { source, signal }: Pick<RunDependencies, 'source' | 'signal'>,
  plan: EntityPlan,
  keys: readonly string[],
): Promise<{ readonly key: string | null; readonly found: Row | null; readonly error: string | null }> {
  const query = entityQuery(plan);
  try {
    return await source.read(
      query,
      async (reader) => {
        for await (const page of reader.rows(keys)) {
          const [first] = page;
          if (first) return { key: first.key, found: first.row, error: null };
        }
        return { key: null, found: null, error: null };
      },
      signal,
    );
  } catch (error) {
    // Whoever asks has gone, or may ask again: that says nothing of the record.
    if (!(error instanceof SyncError) || error.code === 'interrupted' || error.details.busy === true)
      throw error;
    return { key: null, found: null, error: error.message };
  }
}

/** The row without what is nested too deeply for JSON to be written: that is what is wrong with it. */
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

/** The key that a row which names this application by vacancy and address has; none: no such application is stored. */
async function keysOfApplication(
  { state }: Pick<RunDependencies, 'state'>,
  asked: string,
): Promise<readonly string[]> {
  const id = uuidText(asked);
  const key = id === null ? null : await state.inbox.applicantKey(id);
  return key === null ? [] : [key];
}

/** The forms in which a source may have a UUID: Postgres' own, and text that some other system wrote. */
function casesOf(key: string): readonly string[] {
  const uuid = uuidText(key);
  return uuid === null ? [] : [uuid, uuid.toUpperCase()];
}

/** What the row says of its parent; it is all there is when no such parent is known. */
function parentKeyOf(row: Row | null, column: string): string | null {
  const key = row?.[column];
  return typeof key === 'string' ? key : null;
}

function differsFromLedger(view: RecordView | null, mapped: Mapped | null, hash: string | null): boolean {
  if (!view) return true;
  if (!mapped) return view.vanishedAt === null;
  return (
    view.vanishedAt !== null ||
    (hash === null ? view.invalidReason === null : view.desiredHash !== hash || view.invalidReason !== null)
  );
}

/** A status that is named by vacancy and address: a newer application of the same person has come since. */
function isAnother(view: RecordView | null, located: string | null): boolean {
  return view !== null && located !== null && view.platformId !== located;
}

function vanishedAs(view: RecordView | null): 'closed' | 'deleted' | null {
  const wanted = view?.vanishedAt ? view.desiredHash : null;
  if (wanted === null) return null;
  return wanted === ABSENT_HASH ? 'deleted' : 'closed';
}

/** Whether a record that is rejected was so for failures that were not verdicts: without reply, or of these statuses. */
function isTransient(statusCode: number | null): boolean {
  return statusCode === null || statusCode >= 500 || statusCode < 300 || [408, 409, 425].includes(statusCode);
}

function parentReason(entity: string, parent: RecordView['parent']): string {
  if (!parent) return `no such record in the query of ${entity}`;
  const named = `${entity} "${parent.key}"`;
  if (parent.status === 'invalid') return `${named} is invalid`;
  if (parent.status === 'rejected') return `${named} was refused by the platform`;
  if (parent.status === 'vanished') return `${named} is no longer in its query's result`;
  return `${named} has not been accepted yet (${parent.status})`;
}
