import type { CliWorld } from '../cli/cli-world.js';

/** Numbers from 0 to 1 that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32: enough for choosing what to change.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface SourceChanges {
  /** One change of one kind, chosen by the seed. */
  change(): Promise<void>;
  /** How often each kind was made. */
  readonly made: Readonly<Record<string, number>>;
}

/** Edits, inserts, deletes and returns of rows, in a database that stays about as large as it is. */
export function sourceChanges(world: CliWorld, random: () => number): SourceChanges {
  const made: Record<string, number> = {};
  let next = 1_000;
  const gone: string[] = [];

  const insertVacancy = (id: string) =>
    world.sql(
      `insert into vacancy (id, company_id, title)
       select $1, id, 'Vacancy ' || $1 from company order by md5(id || $1) limit 1 on conflict do nothing`,
      [id],
    );
  const kinds: Record<string, () => Promise<unknown>> = {
    'company edited': () =>
      world.sql(
        `update company set about = $1 where id = (select id from company order by md5(id || $1) limit 1)`,
        [`edition ${next++}`],
      ),
    'vacancy edited': () =>
      world.sql(
        `update vacancy set title = 'Vacancy ' || id || ' ' || $1
         where id in (select id from vacancy order by md5(id || $1) limit 3)`,
        [String(next++)],
      ),
    'vacancy moved': () =>
      world.sql(
        `update vacancy set company_id = (select id from company order by md5(id || $1) limit 1)
         where id = (select id from vacancy order by md5($1 || id) limit 1)`,
        [String(next++)],
      ),
    'vacancy inserted': () => insertVacancy(`v${next++}`),
    'vacancy deleted': async () => {
      const rows = await world.sql<{ id: string }>(
        `delete from vacancy where id = (select id from vacancy order by md5(id || $1) limit 1) returning id`,
        [String(next++)],
      );
      gone.push(...rows.map(({ id }) => id));
    },
    'vacancy returned': async () => {
      const id = gone.splice(Math.floor(random() * gone.length), 1)[0];
      if (id !== undefined) await insertVacancy(id);
    },
    'company inserted': () =>
      world.sql(`insert into company (id, name) values ($1, 'Company ' || $1)`, [`c${next++}`]),
    'company deleted': () =>
      world.sql(
        `delete from company where id =
           (select id from company c where id >= 'c1000'
            and not exists (select from vacancy v where v.company_id = c.id) order by id limit 1)`,
      ),
  };
  const names = Object.keys(kinds);

  return {
    made,
    async change() {
      const name = names[Math.floor(random() * names.length)] ?? '';
      await kinds[name]?.();
      made[name] = (made[name] ?? 0) + 1;
    },
  };
}
