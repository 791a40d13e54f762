import { attempted } from './attempted.js';
import type { InspectContext } from './inspect-context.js';

/** Other ways to the same rows. A query whose rows depend on the way would send unchanged records again. */
const OTHER_PLAN = ['enable_hashagg', 'enable_hashjoin'];

/** Whether the version pass gives the same under two plans. */
export async function readStable(context: InspectContext): Promise<boolean> {
  const first = await digest(context);
  for (const setting of OTHER_PLAN) await set(context, setting, 'off');
  try {
    return (await digest(context)) === first;
  } finally {
    for (const setting of OTHER_PLAN) await set(context, setting, 'on');
  }
}

async function set({ read }: InspectContext, setting: string, value: string): Promise<void> {
  await read.run(`select pg_catalog.set_config($1, $2, true)`, [setting, value]);
}

async function digest({ read, from }: InspectContext): Promise<string> {
  const [row] = await attempted<{ digest: string }>(
    read,
    `select pg_catalog.concat(pg_catalog.count(*), ' ', pg_catalog.sum(pg_catalog.hashtextextended(v, 0))) as digest
     from (select pg_catalog.md5(cast(q.* as pg_catalog.text)) as v from ${from}) versions`,
  );
  return row?.digest ?? '';
}
