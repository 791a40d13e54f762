import type { Knex } from 'knex';

/**
 * The order of lists: numbers in a key by their value (10 after 9), because each is padded to 18 digits. Most keys end
 * with their only number, which needs no regular expression. A long key, or one with many numbers (a UUID), keeps the
 * order of its bytes: its padding would make the index large. It is the expression of src/state/ledger/natural-sql.ts;
 * written out, because a migration never changes.
 */
const NATURAL = `(case
  when rtrim(key, '0123456789') <> translate(rtrim(key, '0123456789'), '0123456789', '')
    then case when length(key) <= 64 and key !~ '([0-9]+[^0-9]+){5}[0-9]'
      then regexp_replace(regexp_replace(key, '([0-9]+)', '000000000000000000\\1', 'g'), '0*([0-9]{18,})', '\\1', 'g')
      else key end
  when key = rtrim(key, '0123456789') then key
  else rtrim(key, '0123456789') || lpad(substr(key, length(rtrim(key, '0123456789')) + 1), greatest(18, length(key) - length(rtrim(key, '0123456789'))), '0')
  end)`;

/** Records without an attempt come before all others. */
const ATTEMPTED = `(coalesce(attempted_at, '-infinity'))`;

/**
 * Indexes for lists of records: all by key, those that need a correction or are gone by key, and all by their last
 * attempt. A page of a list reads as many entries as it shows. Records to be sent have an index already, if they are few.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const create = (name: string, columns: string, condition: string) =>
    knex.raw(`create index ${name} on :schema:.sync_state (${columns}) ${condition}`, { schema });
  await create('sync_state_natural', `entity, ${NATURAL}, key`, '');
  await create('sync_state_natural_rest', `entity, ${NATURAL}, key`, 'where not settled and not sendable');
  await create('sync_state_attempted', `entity, ${ATTEMPTED}, key`, '');
}

export async function down(knex: Knex, schema: string): Promise<void> {
  for (const name of ['attempted', 'natural_rest', 'natural']) {
    await knex.raw('drop index :index:', { index: `${schema}.sync_state_${name}` });
  }
}
