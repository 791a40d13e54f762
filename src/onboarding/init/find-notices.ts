import type { CatalogServer } from '../catalog/catalog.js';
import type { DraftQuery } from './draft-query.js';
import type { QueryFacts } from './facts.js';
import type { Unfolded } from './unfold-json.js';
import { wordsOf } from './words.js';

const CHANGED =
  /(updated|modified|changed|diubah|diperbarui|write_date|last_update|tgl_ubah|edited|perubahan)/;

/** What a person should know about the table of a draft, beyond its columns. Pure. */
export function findNotices(
  query: DraftQuery,
  facts: QueryFacts,
  languages: Unfolded['languages'],
  server: CatalogServer,
): readonly string[] {
  const { table } = query;
  return [
    ...rowSecurity(query, server),
    ...languages.map(
      ({ column, keys }) =>
        `${table.name}.${column}: jsonb by language (${keys.map(({ key, count }) => `${key} ${String(count)}`).join(', ')}). The draft takes Indonesian first, then the others; decide.`,
    ),
    ...encrypted(query),
    ...numbersAsCodes(query, facts),
    ...repeatingKeys(query),
    ...unmaintained(query),
    ...cycles(query),
  ];
}

function rowSecurity({ table }: DraftQuery, { role }: CatalogServer): readonly string[] {
  if (!table.rowSecurity.applies) return [];
  const policies = table.rowSecurity.policies
    .map(({ name, expression }) => `${name}: ${expression ?? 'true'}`)
    .join('; ');
  return [
    `${table.sqlName}: row-level security hides rows from ${role} (${policies === '' ? 'no policy' : policies}). The worker refuses such a query, because hidden rows look like deleted ones. A superuser may run: ALTER ROLE ${quoted(role)} BYPASSRLS; or the owner of the table: CREATE POLICY placement_sync ON ${table.sqlName} FOR SELECT TO ${quoted(role)} USING (true); with source.rowSecurity: allow, which also accepts rows that are hidden on purpose.`,
  ];
}

function encrypted({ table }: DraftQuery): readonly string[] {
  const found = table.columns.filter(({ name }) =>
    /encrypt|cipher|terenkripsi|(^|_)enc(_|$)/i.test(wordsOf(name).join('_')),
  );
  return found.length === 0
    ? []
    : [
        `${table.name}: ${found.map(({ name }) => name).join(', ')} look encrypted. The draft leaves them out; only the application can decrypt them.`,
      ];
}

function numbersAsCodes({ columns }: DraftQuery, { codes }: QueryFacts): readonly string[] {
  return columns.flatMap(({ target, column, from }) => {
    const counts = codes.get(target);
    if (
      column?.kind !== 'integer' ||
      !counts ||
      counts.length === 0 ||
      counts.some(({ label }) => label !== null)
    )
      return [];
    return [
      `${from}: numbers without names; their meaning is in the application's code. Fill in the ids of ${target}.`,
    ];
  });
}

function repeatingKeys({ columns, entity }: DraftQuery): readonly string[] {
  const key = columns.find(({ target }) => target === 'key');
  if (!key || key.column?.kind === 'uuid') return [];
  return [
    `${key.from}: no UUIDs, so other databases may have the same keys. Use a namespace of its own for each database (PLACEMENT_SYNC_NAMESPACE) and never change it; the platform ids of ${entity} are made with it.`,
  ];
}

/** A time of change that nobody is sure to set is no row version. */
function unmaintained({ table }: DraftQuery): readonly string[] {
  return table.columns.flatMap(({ name, kind }) => {
    if (!['timestamp', 'timestamptz'].includes(kind) || !CHANGED.test(wordsOf(name).join('_'))) return [];
    const kept = table.triggers.some(
      ({ source, events }) => events.includes('update') && source.includes(name),
    );
    return kept
      ? []
      : [
          `${table.name}.${name}: no trigger maintains it, so it may stay the same when a row changes. The draft has no row_version; the worker compares whole rows.`,
        ];
  });
}

const CYCLE =
  /(^|_)(year|tahun|tahun_ajaran|cycle|academic_year|season|periode|period|angkatan|semester|school_year)(_|$)/;

function cycles({ table, columns }: DraftQuery): readonly string[] {
  const key = columns.find(({ target }) => target === 'key');
  const inKey = table.primaryKey?.filter((name) => CYCLE.test(wordsOf(name).join('_'))) ?? [];
  if (inKey.length > 0)
    return [
      `${table.name}: the key has ${inKey.join(', ')}, so ids may be renewed with each cycle: use the code as the key.`,
    ];
  const year = table.columns.find(
    ({ name, kind }) =>
      ['integer', 'text'].includes(kind) &&
      !/exp|pengalaman|found|establish|berdiri|birth|age/.test(name.toLowerCase()) &&
      CYCLE.test(wordsOf(name).join('_')),
  );
  const code = table.columns.find(
    ({ name, kind }) =>
      ['text', 'integer'].includes(kind) &&
      /(^|_)(code|kode|ref|reference|slug|number)$/.test(wordsOf(name).join('_')) &&
      name !== key?.column?.name,
  );
  return year && code
    ? [
        `${table.name}: rows have ${article(year.name)}. If they are made again each time, ids are renewed: use ${code.name} as the key, and take the current ${year.name} only.`,
      ]
    : [];
}

function quoted(role: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(role) ? role : `"${role.replaceAll('"', '""')}"`;
}

function article(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}
