import { isDeepStrictEqual } from 'node:util';
import type { Random } from '../random.js';
import type { TestDatabase } from '../postgres/test-database.js';

export const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';
/** What the platform refuses with 422, though the interface allows it. */
export const REFUSED = 'Refused';

export interface SourceEdits {
  /** How often each kind of edit was made. */
  readonly counts: ReadonlyMap<string, number>;
  /** So many edits of random kinds, each a transaction of its own. */
  some(edits: number): Promise<void>;
  /** One edit of this record, if it is there. */
  of(id: string): Promise<void>;
  /** Everything that is invalid or refused becomes valid. */
  mend(): Promise<void>;
}

const TEXTS = ['A', 'B', 'C'];

/** So many of the latest edits of vacancies may be taken back. */
const REMEMBERED = 12;

/** A vacancy as it was before an edit. */
interface Former {
  /** Which edit it was. */
  readonly name: string;
  readonly id: string;
  /** Null: it was not there. */
  readonly row: { company_id: string; title: string; quota: string | null; status: string } | null;
}

/** Tables of a partner, with a handful of companies and some tens of vacancies. The keys are UUIDs. */
export async function seedSource(database: TestDatabase, random: Random, vacancies: number): Promise<void> {
  await database.query(`create table company (id text primary key, name text, city text, about text)`);
  await database.query(
    `create table vacancy (id text primary key, company_id text, title text, quota text, status text)`,
  );
  await database.query(`create table gone (id text primary key, company_id text, title text)`);
  const companies = Array.from({ length: 5 }, () => random.uuid());
  for (const id of companies) await insertCompany(database, id);
  for (let count = 0; count < vacancies; count += 1) {
    await insertVacancy(database, random.uuid(), random.pick(companies), 'A');
  }
}

async function insertCompany({ query }: TestDatabase, id: string): Promise<void> {
  await query('insert into company values ($1, $2, $3, null)', [id, `Company ${id}`, CITY]);
}

async function insertVacancy({ query }: TestDatabase, id: string, company: string, title: string) {
  await query(`insert into vacancy values ($1, $2, $3, null, 'open') on conflict do nothing`, [
    id,
    company,
    title,
  ]);
}

/** @param deletes whether companies may leave the source too, together with their vacancies */
export function createSourceEdits(database: TestDatabase, random: Random, deletes: boolean): SourceEdits {
  const { query } = database;
  const idOf = async (sql: string, params: readonly unknown[] = []) => {
    const rows = await query<{ id: string }>(`${sql} order by id`, params);
    return rows.length === 0 ? null : random.pick(rows).id;
  };
  const vacancy = () => idOf('select id from vacancy');
  const company = () => idOf('select id from company');
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  let former: Former[] = [];
  /** Does one edit, and remembers what the vacancies were like that it changed. */
  const remembering = async (name: string, edit: () => Promise<void>): Promise<void> => {
    const read = () => query<{ id: string } & NonNullable<Former['row']>>('select * from vacancy');
    const before = new Map((await read()).map(({ id, ...row }) => [id, row]));
    await edit();
    const after = new Map((await read()).map(({ id, ...row }) => [id, row]));
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (id) => !isDeepStrictEqual(before.get(id), after.get(id)),
    );
    former.push(...changed.map((id) => ({ name, id, row: before.get(id) ?? null })));
    former = former.slice(-REMEMBERED);
    if (changed.length > 0) count(name);
  };
  /** One of the latest edits is taken back: the vacancy is what it was before, or where, or is there again, or is gone. */
  const takeBack = async (): Promise<void> => {
    const [last] = former.splice(random.integer(0, Math.max(0, former.length - 1)), 1);
    if (!last) return;
    const { name, id, row } = last;
    const [owner] = row ? await query('select 1 from company where id = $1', [row.company_id]) : [];
    if (row && !owner) return;
    await query('delete from gone where id = $1', [id]);
    await query(
      row
        ? `insert into vacancy values ($1, $2, $3, $4, $5) on conflict (id) do update
             set company_id = $2, title = $3, quota = $4, status = $5`
        : 'delete from vacancy where id = $1',
      row ? [id, row.company_id, row.title, row.quota, row.status] : [id],
    );
    count(`${name}, and back`);
  };

  /** A text of three: soon it is again what it was. */
  const kinds: Record<string, () => Promise<void>> = {
    editVacancy: async () => {
      await query('update vacancy set title = $2 where id = $1', [await vacancy(), random.pick(TEXTS)]);
    },
    editCompany: async () => {
      await query('update company set about = $2 where id = $1', [await company(), random.pick(TEXTS)]);
    },
    closeOrReopen: async () => {
      await query(
        `update vacancy set status = case status when 'open' then 'closed' else 'open' end where id = $1`,
        [await vacancy()],
      );
    },
    move: async () => {
      await query('update vacancy set company_id = $2 where id = $1', [await vacancy(), await company()]);
    },
    remove: async () => {
      const [left] = await query<{ count: number }>('select count(*)::int as count from vacancy');
      if ((left?.count ?? 0) < 15) return;
      await query(
        `with gone_now as (delete from vacancy where id = $1 returning id, company_id, title)
         insert into gone select id, company_id, title from gone_now`,
        [await vacancy()],
      );
    },
    bringBack: async () => {
      await query(
        `with back as (delete from gone where id = $1 returning *)
         insert into vacancy select id, coalesce((select c.id from company c where c.id = company_id), $2), title, null, 'open' from back`,
        [await idOf('select id from gone'), await company()],
      );
    },
    addVacancy: async () => {
      const [there] = await query<{ count: number }>('select count(*)::int as count from vacancy');
      const owner = await company();
      if (owner !== null && (there?.count ?? 0) < 45)
        await insertVacancy(database, random.uuid(), owner, 'A');
    },
    addCompany: async () => {
      const [there] = await query<{ count: number }>('select count(*)::int as count from company');
      if ((there?.count ?? 0) < 9) await insertCompany(database, random.uuid());
    },
    invalidate: async () => {
      await query(`update vacancy set quota = 'many' where id = $1`, [await vacancy()]);
    },
    validate: async () => {
      await query('update vacancy set quota = $1', [random.chance(0.5) ? null : '3']);
    },
    refuse: async () => {
      await query('update vacancy set title = $2 where id = $1', [await vacancy(), REFUSED]);
    },
    mendRefused: async () => {
      await query('update vacancy set title = $2 where title = $1', [REFUSED, random.pick(TEXTS)]);
    },
  };
  if (deletes) {
    kinds.removeCompany = async () => {
      const [left] = await query<{ count: number }>('select count(*)::int as count from company');
      if ((left?.count ?? 0) < 4) return;
      await query(
        `with leaving as (delete from company where id = $1 returning id),
           gone_now as (delete from vacancy where company_id in (select id from leaving) returning id, company_id, title)
         insert into gone select id, company_id, title from gone_now`,
        [await company()],
      );
    };
    kinds.bringCompanyBack = async () => {
      const id = await idOf(
        'select distinct company_id as id from gone where company_id not in (select id from company)',
      );
      if (id !== null) await insertCompany(database, id);
    };
  }
  const names = Object.keys(kinds);

  return {
    counts,
    async some(edits) {
      // What every run needs to come by all steps: a change of both entities.
      await kinds.editCompany?.();
      for (let done = 1; done < edits; done += 1) {
        if (random.chance(0.25)) {
          await takeBack();
          continue;
        }
        const name = random.chance(0.3) ? 'editVacancy' : random.pick(names);
        await remembering(name, async () => kinds[name]?.());
      }
    },
    async of(id) {
      await query(`update vacancy set title = case title when 'A' then 'B' else 'A' end where id = $1`, [id]);
      await query(`update company set about = case about when 'A' then 'B' else 'A' end where id = $1`, [id]);
    },
    async mend() {
      await query('update vacancy set quota = null where quota is not null');
      await query('update vacancy set title = $2 where title = $1', [REFUSED, 'A']);
      // One that is gone is closed with the last text that the ledger knows. When no other one was ever acknowledged, the
      // platform refuses that, too, and only its return can mend it.
      await query(
        `with back as (
           delete from gone where title = $1 or id in (
             select key from placement_sync.sync_state where entity = 'vacancies' and desired_payload ->> 'title' = $1)
           returning id, company_id)
         insert into vacancy
           select id, coalesce((select c.id from company c where c.id = company_id), (select min(c.id) from company c)), 'A', null, 'open'
           from back`,
        [REFUSED],
      );
    },
  };
}
