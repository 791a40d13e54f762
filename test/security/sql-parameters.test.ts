import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Folders with statements; of the other files of features those that name the tables of the state. */
const FOLDERS = [
  'src/core/ledger',
  'src/core/source',
  'src/features/catalog',
  'src/features/doctor/read',
  'src/features/doctor/rows',
  'src/features/init',
  'migrations',
];

/** Words of a statement; a few messages have them too. */
const SQL =
  /\b(select|insert into|update|delete from|from|where|join|order by|set local|when|and|create|drop|alter|is not|limit|date_trunc|coalesce|cast|interval)\b/i;

/** What may stand in a statement as it is: constants of the module, by their spelling. */
const CONSTANT = /^[A-Z][A-Z_]*(\.\w+|\[\w+\])?$/;

/** Functions that return SQL made of constants and of names that the code itself chose. */
const FRAGMENTS =
  /^(statusSql|joinParent|confirmLater|isDeletion|notRepeatable|childrenFirstSql|hasChildrenSql|parentBlockedSql|differsOrConfirms|bucketOf|digestColumns|vacancyKeySql|hourOf|judged|acknowledgedPayload|rearmable|computedOnce|keyBy|firstOf|withoutParticulars|possibleParents|possiblePayloads|addPossible|heldLeaseSql|takenDownSql|neverThereSql|mayBeAbsentSql|parentProblemSql|fromNow|ownIn|refreshDueSql|naturalSql|examinedSql|amongSql|matchingSql|parentOf|parentTitleSql|filters|reasonSql|(pg\.)?escapeLiteral|NAMES|literal|columnSql|qualified|quotedName|escapeIdentifier|skillCodeSql|presentSql|conditionSql|tableTitle|hmacSql|isOfPerson|blanked|parentIdSql|ofCompanies)\(/;

/** Names of the catalogue as `quote_ident` writes them, and numbers of columns and limits of the module. */
const QUOTED = /^((\w+\.)*sqlName|at|[A-Z][A-Z_]*(\.\w+)? \+ 1|sqlOf\([\w., ]+\))$/;

/**
 * Everything else, each looked at: aliases and columns that the code names, parts of statements that are put together
 * from literals, numbers, a quoted time zone of the configuration, and words in messages. A value of a row, a key, a
 * text of the platform or of a request never stands here: it is a bound parameter.
 */
const LOOKED_AT: Readonly<Record<string, readonly string[]>> = {
  // Each name in it is quoted.
  'src/features/fleet/state/purge-tenant.ts': ['listed(true)', 'listed(false)'],
  // Names of the catalogue, quoted, and texts of errors.
  'src/features/fleet/state/move-ledger.ts': [
    "all.join(', ')",
    "written.join(', ')",
    "written.map((column) => `(given.r).${column}`).join(', ')",
    'column',
    'whole',
    'name',
    'before?.rows ?? 0',
    'after?.rows ?? 0',
    'await nameIn(source, table.from)',
  ],
  'src/features/init/describe.ts': [
    'String(Math.floor(versionNumber / 10_000))',
    'role',
    'timeZone',
    'grouped(SAMPLE)',
    'grouped(rest)',
  ],
  'src/features/init/draft.ts': ['query.table.name'],
  'src/features/init/guess-ids.ts': ['titled(wanted.name)'],
  'src/features/init/look.ts': ['sql'],
  'src/features/init/look/count-sample.ts': ["outer.join(', ')", "inner.join(', ')", 'from', 'test'],
  'src/features/init/look/table-words.ts': ['from', 'object', 'select', 'most'],
  'src/features/init/look/test-links.ts': ['filled', 'once'],
  'src/features/init/map/address-tail.ts': [
    'grouped(cities)',
    'grouped(rows)',
    'address.from',
    'grouped(rows - cities)',
    'text',
  ],
  'src/features/init/map/ask-parent.ts': [
    'selectOf(parent, `cast(${key} as text)`, name)',
    'key',
    'name',
    "selectOf(parent, `cast(${columnSql('p', { sqlName: sqlOf(to, key) })} as text)`, named)",
    'others',
  ],
  'src/features/init/map/draft-query.ts': [
    'query.alias',
    'join.table',
    'join.alias',
    'join.on',
    "[join.groupBy, ...picks].join(',\\n ')",
  ],
  'src/features/init/map/find-code.ts': ['sql', 'values', 'own'],
  'src/features/init/map/find-columns.ts': ['child.alias', 'sql', 'order', 'code', 'child', 'list', 'alias'],
  'src/features/init/map/find-notices.ts': [
    'title',
    'role',
    "policies.join('; ') || 'no policy'",
    'name',
    'values',
    'test',
    'question',
    'sql',
    'shown',
    'amount',
    'factor',
  ],
  'src/features/init/map/find-parent-key.ts': ['orderSql(pair)', 'pair.alias', 'question', 'parent.name'],
  'src/features/init/map/look-at-neighbours.ts': ['label'],
  'src/features/init/map/look-at-values.ts': ['value', 'text', 'sql', 'label', 'name', 'from', 'most + 1'],
  'src/features/init/map/make-query.ts': [
    "times.join(', ')",
    'column.name',
    'place.table.name',
    'parent.name',
    'entity.noun.one',
  ],
  'src/features/init/map/open-columns.ts': ['value', 'zeros', "objectSql('s.value')", "objectSql('f.value')"],
  'src/features/init/map/refine-query.ts': ['of(without, facts.rows)', 'sql', 'form.test', 'query.entity'],
  'src/features/init/sql-text.ts': ['local', "[...filled, ...texts.slice(-1)].join(', ')"],
  'src/features/init/write/condition-text.ts': ['sql'],
  'src/features/init/write/query-text.ts': [
    'capital(entity)',
    'table.title',
    'rows',
    'sql',
    'ofParent.sql',
    'selectOf(draftable(entity), NULL_TEXT, NULL_TEXT)',
    'list',
    'alias',
    "[`${key.sql} = ${own.sql}`, ...texts].join(' and ')",
    'key.sql',
    'own.sql',
  ],
  'src/features/init/write/report-lines.ts': ['grouped(leftOut.tables)', 'server.role', 'schemas'],
  'src/features/fleet/state/tenants.ts': ['noted', 'row'],
  'src/features/fleet/state/apply-tenants.ts': ['first', 'second', 'schema', 'name'],
  'src/core/ledger/database/state-database.ts': ["set.join(', ')", 'name', 'value'],
  'src/features/report/deliveries.ts': ['condition', 'd'],
  // Texts of errors: names of settings.
  'src/core/ledger/database/translate-state-error.ts': ['poolMax', 'url', 'settings.url', 'UTF8_HINT'],
  'src/core/ledger/status-sql.ts': [
    's',
    'timeoutMs',
    'linked',
    'name',
    'parent.entity',
    "children.join(', ')",
    'p',
    'parent',
    "cases.join(' ')",
    'condition',
  ],
  'src/core/ledger/entity-states.ts': ['column', 'conflict'],
  'src/features/verify/adoptions.ts': ['condition'],
  'src/core/ledger/lease.ts': ['name', 'ttlMs'],
  // Called for constants only.
  'src/features/fleet/state/shared-rates.ts': ['time'],
  'src/core/ledger/ledger.ts': ['columns', 'range', 'inBuckets', 'bucketSql'],
  'src/core/ledger/records.ts': [
    'records',
    "RECORD_STATUSES.map((status) => `count(*) filter (where status = '${status}') as ${status}`).join(', ')",
    'status',
  ],
  'src/features/look/record-views.ts': ["referenceSql('p')"],
  'src/core/ledger/publish.ts': ['e', 'batch'],
  'src/core/ledger/staging.ts': ['f'],
  'src/core/ledger/queue/area-states.ts': ['time', 'column'],
  'src/features/verify/read-backs.ts': ['acknowledged'],
  'src/features/look/record-lists.ts': [
    ...['direction', 'columns', 'sorted', 'comparison', 'position', 'key'],
    // Of the interface.
    'label',
  ],
  'src/core/ledger/resend-requests.ts': ['since', 'named', 'so'],
  'src/features/look/reasons.ts': ['columns', 'narrowed', 'status'],
  'src/core/ledger/queue/record-outcomes.ts': ['confirmation', 'later', 'current'],
  'src/features/webhook/state/store-application.ts': ['column', 'jobId', 'keyByPath'],
  'migrations/0009-versions.ts': ['application', 'job', 'name', 'unique'],
  // Tables and columns that the module names.
  'src/features/subjects/subjects.ts': ['table', 'condition', 'order', 'text'],
  'migrations/0006-data-subjects.ts': ['text'],
  'src/core/ledger/queue/queue.ts': ["referenceSql('p')", 'payload'],
  // Names of the catalogue as `quote_ident` writes them, parts made of them, and words of messages.
  'src/features/catalog/read-catalog.ts': ['String(oid)'],
  'src/features/catalog/read-columns.ts': ["typeOf('t')", "typeOf('e')"],
  'src/features/catalog/read-details.ts': ['numbers', 'table'],
  // Words of a message, which happen to have "by".
  // Words of a message, which happen to have "by".
  'src/features/doctor/rows/parent-index.ts': [
    'JSON.stringify(key)',
    'JSON.stringify(other)',
    'differenceOf(key, other).text',
  ],
  'src/features/doctor/read/read-kept.ts': [
    ...['sql', 'shape.prefix', "flags.map(valueOf).join(', ')", 'keySql', 'paysSql', 'where', 'fromSql'],
  ],
  // Sentences, not statements.
  'src/features/doctor/read/read-sources.ts': [
    ...[
      'select.fromSql',
      'allOf(select.conditions)',
      'name',
      'prefix',
      "counts.join(', ')",
      "texts.join(', ')",
    ],
    ...['from', 'words'],
  ],
  'src/features/doctor/read/read-losses.ts': [
    ...['shape.prefix', 'only', 'keySql', 'subjectSql', 'from', 'allOf(own)', 'allOf([...own, ...joining])'],
  ],
  'src/features/doctor/rows/read-rows.ts': ['inParentheses(prepareQuery(query))'],
  'src/core/source/query.ts': ['from', 'file', 'entity', "known.join(', ')"],
  'src/core/source/reader.ts': [
    ...['key', 'version', 'values', 'from', 'sums', 'versions', 'filter', 'order', 'rowsSql', 'among'],
    ...['expression', 'column'],
    'count',
    'cursor',
  ],
  // A hint, not a statement.
  'src/core/source/source-error.ts': ['way'],
  // Columns and key as in the reader, the partner's query, and numbers that are counted here.
  'src/core/source/find-bad-row.ts': [
    'named(values)',
    'counts',
    'rows',
    'from',
    'rest',
    'selected',
    'key',
    'number',
    'inBucket(count, number)',
    'reached',
    'middle',
    'passed - 1',
  ],
};

interface Found {
  readonly file: string;
  readonly put: string;
}

function textsOf(node: ts.Node): string {
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
  return ts.isStringLiteralLike(node) ? node.text : '';
}

/** A choice between literals; templates among them are looked at by themselves. */
function isChoice(node: ts.Expression): boolean {
  const literal = (part: ts.Expression): boolean =>
    ts.isStringLiteralLike(part) || ts.isTemplateExpression(part);
  return ts.isConditionalExpression(node) && literal(node.whenTrue) && literal(node.whenFalse);
}

function findIn(file: string, source: string): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node, within: boolean): void => {
    const statement = ts.isTemplateExpression(node) && (within || SQL.test(textsOf(node)));
    if (statement) {
      for (const { expression } of node.templateSpans) {
        const put = expression.getText().replace(/\s+/g, ' ');
        if (![CONSTANT, FRAGMENTS, QUOTED].some((safe) => safe.test(put)) && !isChoice(expression))
          found.push({ file, put });
      }
    }
    const plus = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
    if (
      plus &&
      [node.left, node.right].some((side) => /\b(select|insert into|delete from|where)\b/.test(textsOf(side)))
    )
      found.push({ file, put: node.getText() });
    ts.forEachChild(node, (child) => visit(child, within || statement));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), false);
  return found;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
const files = new Set([
  ...FOLDERS.flatMap(filesIn),
  ...filesIn('src/features').filter((file) => readFileSync(file, 'utf8').includes(':schema:.')),
]);
const all = [...files].flatMap((file) => findIn(file, readFileSync(file, 'utf8')));

it('nothing is put into a statement but constants, parts of SQL, and what was looked at; values are bound', () => {
  const unknown = all.filter(({ file, put }) => !LOOKED_AT[file]?.includes(put));
  expect(unknown, 'bind it as a parameter, or list it here with care').toEqual([]);
});

it('the list of what was looked at has nothing that is gone', () => {
  const gone = Object.entries(LOOKED_AT).flatMap(([file, puts]) =>
    puts
      .filter((put) => !all.some((each) => each.file === file && each.put === put))
      .map((put) => ({ file, put })),
  );
  expect(gone).toEqual([]);
});

it('a value in a template, in a choice or behind a plus would be found', () => {
  for (const source of [
    'query(`select 1 from t where key = ${key}`)',
    "query(`select 1 from t where ${key ? `key = '${key}'` : ''}`)",
    "query('select 1 from t where key = ' + key)",
  ])
    expect(findIn('x.ts', source), source).toHaveLength(1);
});
