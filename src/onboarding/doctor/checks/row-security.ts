import type { CatalogTable } from '../../catalog/catalog.js';
import { mentions } from '../sql/flag-columns.js';
import { entityCheck } from '../check.js';
import { fail, pass, undone, warn, type Verdict } from '../finding.js';
import { judged } from '../learned.js';

export const rowSecurity = entityCheck({
  id: 'row-security',
  levels: ['warn', 'fail'],
  looksAt: 'whether row-level security hides rows of the query’s tables from the role',
  remedy:
    '`alter role … bypassrls`. Where that is not possible: a policy with `using (true)` for the role, and `source.rowSecurity: allow`.',
  judge({ entity, plan }, { source, settings }) {
    if ('cause' in source) return [undone(source.cause)];
    const { server, tables: all } = source.value;
    return judged(plan, ({ tables }) => {
      // A table without any policy for the role is not even in the plan.
      const hiding = all.filter(
        (table) =>
          table.rowSecurity.applies && (tables.includes(table) || mentions(entity.query.sql, table.name)),
      );
      if (hiding.length === 0) return [pass('no rows are hidden from the role')];
      return hiding.map((table) => verdictOf(table, server.role, settings.source.rowSecurity));
    });
  },
});

function verdictOf(table: CatalogTable, role: string, setting: 'refuse' | 'allow'): Verdict {
  const { policies } = table.rowSecurity;
  const named =
    policies.length === 0
      ? 'no policy lets the role see a row'
      : `policies: ${policies.map(({ name }) => name).join(', ')}`;
  const message = `row-level security of ${table.title} limits which rows the role ${role} sees (${named})`;
  const name = `"${role.replaceAll('"', '""')}"`;
  const bypass = `alter role ${name} bypassrls;`;
  if (setting === 'allow')
    return warn(`${message}; source.rowSecurity: allow reads only those`, `If all rows are meant: ${bypass}`);
  return fail(
    `${message}: hidden rows would look like deleted ones, so the query is refused`,
    `${bypass} or, if the role may not have that: create policy placement_sync_reads on ${table.sqlName} for select to ${name} using (true); and source.rowSecurity: allow`,
  );
}
