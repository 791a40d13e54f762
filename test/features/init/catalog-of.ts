import type {
  Catalog,
  CatalogColumn,
  CatalogTable,
  ForeignKey,
  ValueKind,
} from '../../../src/features/catalog/catalog.js';

const KINDS: Readonly<Record<string, ValueKind>> = {
  int: 'integer',
  text: 'text',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  numeric: 'number',
  jsonb: 'json',
  uuid: 'uuid',
  bytea: 'bytes',
};

/**
 * A catalogue in short, one table a line: its number of rows and its columns. `vacancy 9: id int, name text, company_id int
 * > company` has the primary key `id` (always the first column) and one foreign key.
 */
export function catalogOf(lines: string): Catalog {
  const tables = lines.split('\n').flatMap((line) => {
    const [, name = '', rows = '', columns = ''] = /^\s*(\S+) (\d+): (.*)$/.exec(line) ?? [];
    const parts = columns.split(',').map((part) => part.trim().split(/\s+/));
    return name === '' ? [] : [{ name, rows: Number(rows), parts }];
  });
  const bare = tables.map(({ name, rows, parts }, oid): CatalogTable => {
    const foreignKeys = parts.flatMap(([column = '', , arrow, target = '']): ForeignKey[] => {
      const to = tables.findIndex((table) => table.name === target);
      const toColumn = tables[to]?.parts[0]?.[0] ?? 'id';
      return arrow === '>' && to >= 0 ? [{ columns: [column], to, toColumns: [toColumn] }] : [];
    });
    const key = parts[0]?.[0] ?? 'id';
    return {
      oid,
      schema: 'public',
      name,
      sqlName: name,
      title: name,
      kind: 'table',
      comment: null,
      rows,
      exact: true,
      columns: parts.map(([column = '', type = 'text']) => columnOf(column, type)),
      primaryKey: [key],
      uniqueKeys: [[key]],
      foreignKeys,
      indexes: [],
      rowSecurity: { applies: false, policies: [] },
      selectable: true,
    };
  });
  return {
    server: {
      versionNumber: 180000,
      database: 'hr',
      role: 'reader',
      superuser: false,
      timeZone: 'UTC',
      encoding: 'UTF8',
      replica: false,
      encrypted: true,
    },
    tables: bare,
  };
}

function columnOf(name: string, type: string): CatalogColumn {
  const list = type.endsWith('[]');
  const kind = KINDS[type.replace('[]', '')] ?? 'text';
  return {
    name,
    sqlName: /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`,
    type,
    kind: list ? 'array' : kind,
    elementKind: list ? kind : null,
    nullable: true,
    generated: false,
    enumLabels: null,
    checkValues: null,
    selectable: true,
    distinct: null,
    nullShare: null,
  };
}
