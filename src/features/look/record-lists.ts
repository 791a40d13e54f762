import type { Issue } from '../../core/domain/issue.js';
import type { EntityName, RecordStatus } from '../../core/domain/names.js';
import type { ShownState } from '../../core/domain/reply/reply.js';
import { ENTITIES, isAboutApplications } from '../../core/entities/index.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import { invalidReasons, rejectedReasons, waitingReasons } from './reasons.js';
import { joinParent, statusSql } from '../../core/ledger/status-sql.js';

/**
 * Lists of records for people: a page of them in an order, narrowed by status, search and reason (`pageSql`), and how many
 * there are (`countSql`). A page looks at a bounded number of records, so that each is quick whatever is searched for; where
 * it stopped looking, the next one goes on.
 */

/** A record as lists show it: no row and no payload. */
export interface ListedRecord {
  readonly key: string;
  /** What names it for people, from the desired payload or else the acknowledged one; null: nothing does. */
  readonly title: string | null;
  readonly status: RecordStatus;
  /** The errors of its row; empty: none. */
  readonly issues: readonly Issue[];
  readonly lastError: string | null;
  readonly lastStatusCode: number | null;
  readonly attemptedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  /** Of a child: its parent's key; null when the ledger does not have it. */
  readonly parentKey: string | null;
  /** What names that parent for people; null: nothing does. */
  readonly parentTitle: string | null;
  /** The last day, `YYYY-MM-DD`, of one that vanished when it was over; null: not so. */
  readonly expiredOn: string | null;
  /** What the platform shows of it since it accepted it; null: it is live, or nothing is known. */
  readonly atPlatform: ShownState | null;
}

/** A place in a list: that of one record. */
export interface ListPosition {
  readonly key: string;
  /** Its last attempt, microseconds since the Unix epoch; null: never. */
  readonly attemptedUs: number | null;
}

export interface RecordSelection {
  /** Null: any. */
  readonly status: RecordStatus | null;
  /** Part of key or title, whatever its case; null: any. */
  readonly search: string | null;
  /** Part of what the platform answered or of an error of the row, whatever its case; null: any. */
  readonly reason: string | null;
  /** By key, numbers in it by their value, or by last attempt. */
  readonly sort: 'key' | 'attempt';
  readonly descending: boolean;
}

export interface RecordPage {
  readonly records: readonly ListedRecord[];
  /** Where the list goes on; null: this is its end. A page may be short, or empty, before the end. */
  readonly next: ListPosition | null;
}

export interface RecordCount {
  readonly value: number;
  /** There are more than that, or there may be: not all were looked at. */
  readonly more: boolean;
}

export type RecordLists = ReturnType<typeof createRecordLists>;

type ListedRow = PlaceRow & Omit<ListedRecord, 'issues'> & { issues: readonly Issue[] | null };

interface PlaceRow {
  key: string;
  attemptedUs: string | null;
}

export function createRecordLists(database: StateDatabase) {
  return {
    /**
     * The records after that position, at most `limit`; null: from the first. It looks at a bounded number of records, so
     * a search for what is rare takes several pages.
     */
    async page(
      entity: EntityName,
      selection: RecordSelection,
      { after, limit }: { readonly after: ListPosition | null; readonly limit: number },
    ): Promise<RecordPage> {
      const further = after !== null;
      const known = ENTITIES.find(({ name }) => name === entity);
      const parameters = {
        entity,
        status: selection.status,
        label: known?.label ?? null,
        lastDay: known?.lastDay ?? null,
        search: containing(selection.search),
        reason: containing(selection.reason),
        after: after?.key ?? null,
        attempted: after?.attemptedUs ?? null,
        // One more shows whether the list goes on.
        limit: limit + 1,
      };
      const rows = await database.query<ListedRow>(pageSql(entity, selection, further), parameters);
      const records = rows.slice(0, limit).map(listed);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      if (last) return { records, next: placeOf(last) };
      const [end] = await database.query<PlaceRow>(lastExaminedSql(selection, further), parameters);
      return { records, next: end ? placeOf(end) : null };
    },

    /** What names a record for people; null: nothing does. */
    async title(entity: EntityName, key: string): Promise<string | null> {
      const label = ENTITIES.find(({ name }) => name === entity)?.label ?? null;
      const [row] = await database.query<{ title: string | null }>(
        `select ${TITLE} as title from :schema:.sync_state s where s.entity = :entity and s.key = :key`,
        { entity, key, label },
      );
      return row?.title ?? null;
    },

    /** How many records have that status; counts up to `most`, and among a bounded number of records. */
    async count(entity: EntityName, status: RecordStatus | null, most: number): Promise<RecordCount> {
      const [row] = await database.query<{ count: string; further: boolean }>(countSql(entity, status), {
        entity,
        status,
        // One more shows whether there are more.
        most: most + 1,
      });
      const count = Number(row?.count ?? 0);
      return { value: Math.min(count, most), more: count > most || row?.further === true };
    },

    /**
     * Why records are invalid, with the children that wait for them; the largest effect first, at most `limit` of codes and
     * of others; of the first 20,000.
     */
    invalidReasons: (entity: EntityName, limit: number) => invalidReasons(database, entity, limit),
    /** Why records are rejected, the most frequent first; of the first 20,000. */
    rejectedReasons: (entity: EntityName, limit: number) => rejectedReasons(database, entity, limit),
    /** Why records wait for a parent that does not come, the most frequent first. */
    waitingReasons: (entity: EntityName) => waitingReasons(database, entity),
  };
}

/** The pattern of what contains this text; its own `%`, `_` and `\` stand for themselves. */
function containing(text: string | null): string | null {
  return text === null ? null : `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** SQL: what the record is called, for people; `:label` is the field of the body. */
const TITLE = `coalesce(s.desired_payload, s.acknowledged_payload) ->> cast(:label as text)`;

/** SQL: the last attempt in microseconds, which a number of JavaScript holds to the last. */
const ATTEMPTED_US = `cast(round(extract(epoch from s.attempted_at) * 1000000) as bigint)`;

/** SQL: a page of a list, with its records' places in it. `further`: after `:after` and `:attempted`. */
export function pageSql(entity: EntityName, selection: RecordSelection, further: boolean): string {
  const { direction } = recordOrder(selection);
  return `select s.key, ${TITLE} as title, ${statusSql('s', 'p')} as status,
      s.invalid_reason as issues, s.last_error as "lastError", s.last_status_code as "lastStatusCode",
      s.attempted_at as "attemptedAt", s.acknowledged_at as "acknowledgedAt", s.next_attempt_at as "nextAttemptAt",
      p.key as "parentKey", ${parentTitleSql(entity)} as "parentTitle", case when s.expired then s.desired_payload ->> cast(:lastDay as text) end as "expiredOn",
      case when s.platform_state <> 'live' then json_build_object('state', s.platform_state, 'word', s.platform_word) end as "atPlatform", ${ATTEMPTED_US} as "attemptedUs"
    from (${examinedSql('s.*', selection, further)}) s ${parentOf(entity)}
    where true ${filters(entity, selection)}
    order by s.sorted ${direction}, s.key ${direction} limit :limit`;
}

/** How a list is ordered, as parts of a statement. */
interface RecordOrder {
  /** Of the row in alias `s`: what is compared before the key. migrations/0001-state.ts has an index for each. */
  readonly sorted: string;
  /** The same of the parameters `:after` and `:attempted`. */
  readonly position: string;
  /** Compares with the position: what comes after it. */
  readonly comparison: '>' | '<';
  readonly direction: 'asc' | 'desc';
}

/** SQL: the order of a list. Records without an attempt are the oldest. */
function recordOrder({ sort, descending }: RecordSelection): RecordOrder {
  const after = `cast(:after as text) collate "C"`;
  return {
    ...(sort === 'key'
      ? { sorted: naturalSql('s.key'), position: naturalSql(`(${after})`) }
      : {
          sorted: `(coalesce(s.attempted_at, '-infinity'))`,
          position: `coalesce(timestamptz 'epoch' + cast(:attempted as double precision) * interval '1 microsecond', '-infinity')`,
        }),
    comparison: descending ? '<' : '>',
    direction: descending ? 'desc' : 'asc',
  };
}

/**
 * SQL: a text in whose order numbers of a key follow each other by their value: each is padded to 18 digits. To the
 * letter that of migrations/0001-state.ts, which has an index of it and says why it is so long.
 */
function naturalSql(key: string): string {
  return `(case
  when rtrim(${key}, '0123456789') <> translate(rtrim(${key}, '0123456789'), '0123456789', '')
    then case when length(${key}) <= 64 and ${key} !~ '([0-9]+[^0-9]+){5}[0-9]'
      then regexp_replace(regexp_replace(${key}, '([0-9]+)', '000000000000000000\\1', 'g'), '0*([0-9]{18,})', '\\1', 'g')
      else ${key} end
  when ${key} = rtrim(${key}, '0123456789') then ${key}
  else rtrim(${key}, '0123456789') || lpad(substr(${key}, length(rtrim(${key}, '0123456789')) + 1), greatest(18, length(${key}) - length(rtrim(${key}, '0123456789'))), '0')
  end)`;
}

/**
 * SQL: conditions that all records of that status meet; the first ones are those of an index. Without them the search
 * for a few rejected records would look at a million pending ones.
 */
const NARROWED: Readonly<Record<RecordStatus, string>> = {
  vanished: 'not s.settled and not s.sendable and s.vanished_at is not null',
  invalid: 'not s.settled and not s.sendable and s.invalid_reason is not null',
  rejected: 'not s.settled and not s.sendable and s.refused_hash is not null',
  waiting: 's.sendable and s.parent_platform_id is not null',
  deferred: 's.sendable and s.next_attempt_at is not null',
  pending: 's.sendable',
  // A confirmation that is not due yet is synced too, and such a record is not settled.
  synced: 's.acknowledged_hash is not null',
};

/** Records that one page or count looks at. More is left to the next page, so that each is quick whatever it searches for. */
const EXAMINED = 20_000;

/** SQL: the next records in that order, of which a page shows some. It is read only as far as the page needs. */
function examinedSql(columns: string, selection: RecordSelection, further: boolean): string {
  const { status } = selection;
  const { sorted, position, comparison, direction } = recordOrder(selection);
  return `select ${columns}, ${sorted} as sorted from :schema:.sync_state s
    where s.entity = :entity ${status === null ? '' : `and ${NARROWED[status]}`}
      ${further ? `and (${sorted}, s.key) ${comparison} (${position}, cast(:after as text) collate "C")` : ''}
    order by ${sorted} ${direction}, s.key ${direction} limit ${EXAMINED}`;
}

/** SQL: what the parent in `p` is called, for people. */
function parentTitleSql(entity: EntityName): string {
  const parent = ENTITIES.find(({ name }) => name === entity)?.parent?.entity;
  const label = ENTITIES.find(({ name }) => name === parent)?.label ?? '';
  return `coalesce(p.desired_payload, p.acknowledged_payload) ->> '${label}'`;
}

/** SQL: the parent as `p`, looked up for one record after the other: another kind of join would read all records first. */
function parentOf(entity: EntityName): string {
  return `left join lateral (
    select p.* from (select s.parent_platform_id) child ${joinParent('child', 'p', entity)} offset 0) p on true`;
}

/** SQL: the conditions that are tried record by record. */
function filters(entity: EntityName, { status, search, reason }: RecordSelection): string {
  return `${status === null ? '' : `and ${statusSql('s', 'p')} = :status`}
    ${search === null ? '' : `and (s.key ilike :search or ${TITLE} ilike :search)`}
    ${reason === null ? '' : `and ${reasonSql(entity)} ilike :reason`}`;
}

/** SQL: why the record is as it is. The platform's text about an application is personal, so only its status counts. */
function reasonSql(entity: EntityName): string {
  return `coalesce(
    (select string_agg(concat(field, ' ', message, named, '; ', field, ': ', message, named), '; ')
       from (select field, message, ' (column ' || "column" || ')' as named
             from jsonb_to_recordset(s.invalid_reason) as issue(field text, message text, "column" text)) issues),
    case when ${statusSql('s', 'p')} = 'waiting' then 'waits for ' || p.key end,
    case when s.platform_state <> 'live' then concat_ws(' ', s.platform_word, s.platform_state) end,
    case when s.expired then 'expired on ' || (s.desired_payload ->> cast(:lastDay as text)) end,
    ${isAboutApplications(entity) ? `'HTTP ' || s.last_status_code` : 's.last_error'})`;
}

function listed(row: ListedRow): ListedRecord {
  const { issues, attemptedUs: _, ...record } = row;
  return { ...record, issues: issues ?? [] };
}

function placeOf({ key, attemptedUs }: PlaceRow): ListPosition {
  return {
    key,
    attemptedUs: attemptedUs === null ? null : Number(attemptedUs),
  };
}

const BEFORE_LAST = EXAMINED - 1;

/** SQL: the last record that such a page looks at when it finds too few; no row at the end of the list. */
function lastExaminedSql(selection: RecordSelection, further: boolean): string {
  const { direction } = recordOrder(selection);
  return `select s.key, ${ATTEMPTED_US} as "attemptedUs"
    from (${examinedSql('s.key, s.attempted_at', selection, further)}) s
    order by s.sorted ${direction}, s.key ${direction} offset ${BEFORE_LAST} limit 1`;
}

/**
 * SQL: the number of records with that status, or `:most` if there are more; `further`: others were not looked at. It looks
 * at a bounded number of records too, because a rare status may have to be searched among a million others.
 */
function countSql(entity: EntityName, status: RecordStatus | null): string {
  return `select count, case when count < :most then exists (
      select 1 ${amongSql(status)} offset ${EXAMINED} limit 1) else false end as further
    from (select count(*) as count from (${matchingSql(entity, status)} limit :most) matching) counted`;
}

/** SQL: the records that are counted, and may be others. */
function amongSql(status: RecordStatus | null): string {
  return `from :schema:.sync_state s where s.entity = :entity ${status === null ? '' : `and ${NARROWED[status]}`}`;
}

function matchingSql(entity: EntityName, status: RecordStatus | null): string {
  if (status === null) return `select 1 ${amongSql(status)}`;
  return `select 1 from (select s.* ${amongSql(status)} limit ${EXAMINED}) s ${parentOf(entity)}
    where ${statusSql('s', 'p')} = :status`;
}
