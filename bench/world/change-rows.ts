import type pg from 'pg';

let changes = 0;

/** Changes so many vacancies, spread evenly over the keys, each round other ones. Throws an Error when it are others. */
export async function changeRows(
  client: pg.Client,
  rows: number,
  count: number,
  round: number,
): Promise<void> {
  changes += 1;
  const { rowCount } = await client.query(
    `update vacancy set title = 'Change ' || cast($1 as text) || ' of ' || key, changed_at = changed_at + interval '1 second'
     where cast(substr(key, 2) as bigint) % cast($2 as bigint) = cast($3 as bigint)`,
    [changes, Math.floor(rows / count), round],
  );
  if (rowCount !== count) throw new Error(`${rowCount} rows changed instead of ${count}.`);
}
