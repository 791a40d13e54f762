import { UUID_PATTERN } from '../contract/fields.js';
import { LIST_COLUMNS } from '../domain/inbox/application-parameters.js';
import { createMention, type Mention } from '../domain/inbox/mention.js';
import type { Subject, Subjects } from '../ports/inbox.js';
import { addressHashSql } from './address-hash.js';
import type { StateDatabase, Statements } from './database/state-database.js';
import { isOfPerson } from './ledger/status-sql.js';

/**
 * What the schema holds of one person, for `subject export` and `subject erase`.
 *
 * `find` looks for traces: applications with the address or its keyed hash, the statuses of these in the ledger (also after
 * the applications left the inbox), bodies that were not recognised and say the address or the id of such an application,
 * and applications of others that mention the address. `erase` removes them in one transaction; of the applications of
 * others it blanks the address only. What other records hold of it, such as the contact of a company, is counted as left: the
 * source would bring it back.
 */

interface Traces {
  /** Ids at the platform that are UUIDs. */
  readonly applicationIds: readonly string[];
  /** Names in `unstored_webhook`: all ids. */
  readonly webhooks: readonly string[];
  /** Keyed hash of the address; null: asked by an application's id. */
  readonly hash: string | null;
  /** Numbers of rows of the inbox to remove. */
  readonly inboxIds: readonly string[];
  readonly mentions: readonly BlankedRow[];
  readonly mention: Mention;
}

/** An application of somebody else, without the address. */
interface BlankedRow {
  readonly id: string;
  readonly body: string | null;
  readonly lists: Readonly<Record<string, string>>;
}

/** Bodies in memory at a time; each has 1 MiB at most. */
const BATCH = 20;

export function createSubjects(database: StateDatabase): Subjects {
  return {
    async read(subject) {
      const traces = await find(database, subject);
      const parameters = { ...parametersOf(traces), ...searched(traces.mention, traces.hash) };
      const rows = async (sql: string) =>
        (await database.query<{ row: Record<string, unknown> }>(sql, parameters)).map(({ row }) => row);
      const held = {
        job_application: await rows(
          `select to_jsonb(a) as row from :schema:.job_application a where ${OF_INBOX} order by a.id`,
        ),
        unstored_webhook: await rows(
          `select to_jsonb(u) as row from :schema:.unstored_webhook u where ${OF_UNSTORED} order by u.first_at`,
        ),
        sync_state: await rows(
          `select to_jsonb(s) as row from :schema:.sync_state s where ${ofLedger('s')} order by s.key`,
        ),
        delivery: await rows(
          `select to_jsonb(d) as row from :schema:.delivery d where ${ofJournal('d')} order by d.answered_at`,
        ),
        operator_action: await rows(
          `select to_jsonb(o) as row from :schema:.operator_action o, lateral (select cast(o as text) as row) whole
           where ${SAYS_IT} order by o.id`,
        ),
        // Contacts of companies, and what the platform said: only where, because it is not the applicant's record.
        other_records: await rows(
          `select jsonb_build_object('entity', s.entity, 'key', s.key) as row
           from :schema:.sync_state s, lateral (select cast(s as text) as row) whole
           where not ${isOfPerson('s')} and ${SAYS_IT} order by s.entity, s.key`,
        ),
      };
      return { ...held, mentions: traces.mentions.length };
    },

    async erase(subject, { dryRun }) {
      const traces = await find(database, subject);
      let left: Readonly<Record<string, number>> = {};
      const done = await database.transaction(async (statements) => {
        if (dryRun) await statements.query('savepoint as_it_is');
        // Whoever writes an outcome or publishes a sweep has ended before, or sees that the record is gone.
        else
          await statements.query(
            'lock table :schema:.delivery, :schema:.sync_state in share row exclusive mode',
          );
        const counts = await remove(statements, traces);
        if (!dryRun) return counts;
        left = await countLeft(statements, database.schema, traces);
        await statements.query('rollback to savepoint as_it_is');
        return counts;
      });
      if (!dryRun) left = await countLeft(database, database.schema, traces);
      const [run] = await database.query<{ open: boolean }>(
        'select exists (select 1 from :schema:.sync_run where finished_at is null) as open',
      );
      return { ...done, left, sweepUnderWay: run?.open === true };
    },
  };
}

const OF_INBOX = `a.id = any(cast(:inboxIds as bigint[]))`;
const OF_UNSTORED = `u.webhook = any(cast(:webhooks as text[]))`;
const ofJournal = (d: string) => `${isOfPerson(d)} and ${d}.platform_id = any(cast(:ids as uuid[]))`;

/** SQL: the status is of one of the applications, or its key ends with the hash of the address. */
const ofLedger = (s: string) => `${isOfPerson(s)} and (${s}.platform_id = any(cast(:ids as uuid[]))
  or right(${s}.key, 65) = ':' || cast(:hash as text) ${s === 's' ? `or s.address_hash = cast(:hash as text)` : ''})`;

function parametersOf({ applicationIds, webhooks, hash, inboxIds }: Traces) {
  return { ids: applicationIds, webhooks, hash, inboxIds };
}

async function find(database: StateDatabase, subject: Subject): Promise<Traces> {
  const hash = 'email' in subject ? await hashOf(database, subject.email) : null;
  const email = 'email' in subject ? subject.email : null;
  const asked = 'applicationId' in subject ? [subject.applicationId] : [];
  // With all versions: the platform may have corrected the address in a later one.
  const applications = await database.query<{ id: string; applicationId: string }>(
    `select cast(a.id as text) as id, a.application_ref as "applicationId"
     from :schema:.job_application a
     where a.application_ref in (
       select b.application_ref from :schema:.job_application b
       where b.application_ref is not null and (lower(b.email) = lower(cast(:email as text))
         or b.address_hash = cast(:hash as text) or b.application_ref = any(cast(:asked as text[]))))`,
    { email, hash, asked },
  );
  const refs = [...new Set([...asked, ...applications.map(({ applicationId }) => applicationId)])];
  // The ledger knows applications by their UUID. A number says nothing in a body: any other may be the same.
  const ids = refs.filter((id) => UUID_PATTERN.test(id));
  const statuses = await database.query<{ platformId: string }>(
    `select cast(s.platform_id as text) as "platformId" from :schema:.sync_state s where ${ofLedger('s')}`,
    { ids, hash },
  );
  const applicationIds = [...new Set([...ids, ...statuses.map(({ platformId }) => platformId)])];
  const mention = createMention([...(email === null ? [] : [email]), ...applicationIds]);
  const own = applications.map(({ id }) => id);
  const { unrecognised, mentions } = await findInBodies(database, mention, own, email);
  return {
    applicationIds,
    webhooks: [...refs, ...applicationIds],
    hash,
    inboxIds: [...own, ...unrecognised],
    mentions,
    mention,
  };
}

async function hashOf(statements: Statements, email: string): Promise<string> {
  const sql = `select ${addressHashSql('cast(:email as text)')} as hash`;
  const [row] = await statements.query<{ hash: string }>(sql, { email });
  return row?.hash ?? '';
}

interface Body extends Readonly<Record<(typeof LIST_COLUMNS)[number], string>> {
  readonly id: string;
  readonly isApplication: boolean;
  readonly body: string | null;
}

/**
 * Bodies that say the address or an id: of events that were not recognised, and of applications of others, in which only
 * the address counts.
 */
async function findInBodies(
  database: StateDatabase,
  mention: Mention,
  own: readonly string[],
  email: string | null,
): Promise<{ readonly unrecognised: readonly string[]; readonly mentions: readonly BlankedRow[] }> {
  const unrecognised: string[] = [];
  const mentions: BlankedRow[] = [];
  const ofAddress = createMention(email === null ? [] : [email]);
  for (let after = '0'; ;) {
    // A JSON text may have any character as an escape, so what has one of an ASCII character is looked at too.
    const rows = await database.query<Body>(
      `select cast(a.id as text) as id, a.application_ref is not null as "isApplication", a.body,
         ${LIST_COLUMNS.map((list) => `cast(a.${list} as text) as ${list}`).join(', ')}
       from :schema:.job_application a
       where a.id > cast(:after as bigint) and a.id <> all(cast(:own as bigint[]))
         and (a.application_ref is null or cast(:email as text) is not null)
         and (a.body ~ '\\\\u00[2-7]' or exists (select 1 from unnest(cast(:needles as text[])) needle
           where position(needle in lower(concat(a.body, ${LIST_COLUMNS.map((list) => `a.${list}`).join(', ')}))) > 0))
       order by a.id limit ${BATCH}`,
      { after, own, email, needles: mention.needles },
    );
    for (const row of rows) {
      after = row.id;
      if (!row.isApplication) {
        if (row.body !== null && mention.isIn(row.body)) unrecognised.push(row.id);
        continue;
      }
      const body = row.body === null ? null : ofAddress.blank(row.body);
      const lists = LIST_COLUMNS.flatMap((list) => {
        const blanked = ofAddress.blank(row[list]);
        return blanked === row[list] ? [] : [[list, blanked] as const];
      });
      if (body !== row.body || lists.length > 0)
        mentions.push({
          id: row.id,
          body: body === row.body ? null : body,
          lists: Object.fromEntries(lists),
        });
    }
    if (rows.length < BATCH) return { unrecognised, mentions };
  }
}

type Counts = Readonly<Record<'removed' | 'blanked', Readonly<Record<string, number>>>>;

async function remove(statements: Statements, traces: Traces): Promise<Counts> {
  const parameters = parametersOf(traces);
  const count = async (sql: string) => (await statements.query(`${sql} returning 1`, parameters)).length;
  const removed = {
    job_application: await count(`delete from :schema:.job_application a where ${OF_INBOX}`),
    unstored_webhook: await count(`delete from :schema:.unstored_webhook u where ${OF_UNSTORED}`),
    sync_state: await count(`delete from :schema:.sync_state s where ${ofLedger('s')}`),
    delivery: await count(`delete from :schema:.delivery d where ${ofJournal('d')}`),
  };
  // A sweep that is under way counts its findings: one that says nothing takes the place of each.
  const staged_finding = await count(
    `update :schema:.staged_finding f set kind = 'vanished', key = 'erased:' || f.seq, platform_id = null,
       parent_platform_id = null, row_version = null, desired_hash = null, desired_payload = null, noted = null,
       invalid_reason = null where ${ofLedger('f')}`,
  );
  const entity_state = await blankHolds(statements, traces);
  const operator_action = await blankActions(statements, traces);
  for (const row of traces.mentions) await blankRow(statements, row);
  const blanked = { job_application: traces.mentions.length, staged_finding, entity_state, operator_action };
  return { removed, blanked };
}

/** The reason of a hold names some records, statuses by the id of their application. */
async function blankHolds(statements: Statements, { mention }: Traces): Promise<number> {
  const holds = await statements.query<{ entity: string; hold: string | null; push: string | null }>(
    `select entity, cast(hold as text) as hold, cast(push_hold as text) as push from :schema:.entity_state e
     where ${isOfPerson('e')} for update`,
  );
  let blanked = 0;
  for (const { entity, hold, push } of holds) {
    const [without, withoutPush] = [hold, push].map((text) => (text === null ? null : mention.blank(text)));
    if (without === hold && withoutPush === push) continue;
    blanked += 1;
    await statements.query(
      `update :schema:.entity_state set hold = cast(:hold as jsonb), push_hold = cast(:push as jsonb) where entity = :entity`,
      { entity, hold: without, push: withoutPush },
    );
  }
  return blanked;
}

/** An operator may have named a status by the id of its application, or written the address into a reason. */
async function blankActions(statements: Statements, { mention }: Traces): Promise<number> {
  const actions = await statements.query<{ id: string; keys: string; reason: string | null }>(
    `select cast(id as text) as id, cast(to_jsonb(keys) as text) as keys, cast(to_jsonb(reason) as text) as reason
     from :schema:.operator_action where keys <> '{}' or reason is not null`,
  );
  const named = actions.filter(({ keys, reason }) => mention.isIn(keys) || mention.isIn(reason ?? ''));
  for (const { id, keys, reason } of named)
    await statements.query(
      `update :schema:.operator_action
       set keys = array(select jsonb_array_elements_text(cast(:keys as jsonb))), reason = cast(:reason as jsonb) #>> '{}'
       where id = cast(:id as bigint)`,
      { id, keys: mention.blank(keys), reason: reason === null ? null : mention.blank(reason) },
    );
  return named.length;
}

async function blankRow(statements: Statements, { id, body, lists }: BlankedRow): Promise<void> {
  const sets = [
    ...(body === null ? [] : ['body = case when body is not null then :body end', 'body_bytes = null']),
    ...Object.keys(lists).map((list) => `${list} = cast(:${list} as jsonb)`),
  ];
  await statements.query(
    `update :schema:.job_application set ${sets.join(', ')} where id = cast(:id as bigint)`,
    { id, body, ...lists },
  );
}

/** Rows of each table that have the address, its hash or an id of an application somewhere. */
async function countLeft(statements: Statements, schema: string, { mention, hash }: Traces) {
  const tables = await statements.query<{ name: string; quoted: string }>(
    `select cast(c.relname as text) as name, quote_ident(c.relname) as quoted
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = :name and c.relkind in ('r', 'p') order by c.relname`,
    { name: schema },
  );
  const left: Record<string, number> = {};
  for (const { name, quoted } of tables) {
    const [row] = await statements.query<{ count: number }>(
      `select cast(count(*) as integer) as count
       from :schema:.${quoted} t, lateral (select cast(t as text) as row) whole where ${SAYS_IT}`,
      searched(mention, hash),
    );
    if (row && row.count > 0) left[name] = row.count;
  }
  return left;
}

/** SQL: the text `whole.row` of a row has something of it; the pattern decides, the position is faster. */
const SAYS_IT = `exists (select 1 from unnest(cast(:needles as text[])) needle where position(needle in lower(whole.row)) > 0)
  and whole.row ~* any(cast(:patterns as text[]))`;

function searched({ needles, patterns }: Mention, hash: string | null) {
  const ofHash = hash === null ? [] : [hash];
  return { needles: [...needles, ...ofHash], patterns: [...patterns, ...ofHash] };
}
