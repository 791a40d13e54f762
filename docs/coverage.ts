import {
  CONFIGURED_SOURCE,
  REPLY_MEANINGS,
  REPLY_RULES,
  type ReplyRule,
} from '../src/domain/reply/reply-rules.js';
import { ERROR_ANSWERS } from '../src/contract/error-answers.js';
import type { Certainty, Operation } from '../src/contract/operation.js';
import { entity as entityNamed, OPERATIONS } from '../src/entities/index.js';
import { REQUEST_HEADERS } from '../src/contract/request-headers.js';
import { type SchemaField, schemaFields } from '../src/contract/schema-fields.js';
import { WEBHOOK_EVENTS } from '../src/contract/webhook/events.js';
import {
  bodySettings,
  GAPS,
  HEADER_SETTINGS,
  operationSettings,
  replySettings,
  settingsText,
} from './coverage-settings.js';
import { EVENT_USES, REPLY_USES } from './coverage-uses.js';
import { table } from './table.js';

const OPERATION_LIST: readonly Operation[] = Object.values(OPERATIONS);

const CERTAINTY_TEXTS: Readonly<Record<Certainty, string>> = {
  specified: 'specified',
  documented: 'publicly documented',
  assumed: 'assumed',
};

/** Every operation with its certainties, and the setting that changes it. */
export function operationsTable(): string {
  return table(
    ['operation', 'request', 'method is', 'path is', 'body is', 'reply is', 'changed by'],
    OPERATION_LIST.map(({ title, method, path, certainty, name, kind }) => [
      title,
      `\`${method} ${path}\``,
      CERTAINTY_TEXTS[certainty.method],
      CERTAINTY_TEXTS[certainty.path],
      certainty.body === null ? '' : CERTAINTY_TEXTS[certainty.body],
      kind === 'DELETE' ? '' : CERTAINTY_TEXTS[certainty.reply],
      settingsText(operationSettings(name)),
    ]),
  );
}

/** Every field of every request body, and what fills it: a row for the fields that are alike in both. */
export function bodyFields(): string {
  const rows = OPERATION_LIST.flatMap((operation) => {
    const { title, body, certainty } = operation;
    if (body === null || certainty.body === null) return [];
    const alike = groupBy(schemaFields(body, certainty.body), (field) =>
      [source(operation, field.path), CERTAINTY_TEXTS[field.certainty]].join('\n'),
    );
    return [...alike.values()].map((fields) => [
      title,
      ofParent(operation, fields[0].path) ?? fieldNames(fields),
      fieldNames(fields.filter(({ required }) => required === 'always')),
      source(operation, fields[0].path),
      CERTAINTY_TEXTS[fields[0].certainty],
      fields[0].certainty === 'specified'
        ? ''
        : settingsText(bodySettings(operation, parentColumn(operation, fields[0].path))),
    ]);
  });
  return table(['operation', 'fields', 'needed', 'filled from', 'certainty', 'changed by'], rows);
}

/** The fields of the parent's record but its id, in short; null: the field is none of them. */
function ofParent({ entity: entityName }: Operation, path: string): string | null {
  const { parent } = entityNamed(entityName);
  if (parent === null || !path.startsWith(`${parent.field}.`) || path === `${parent.field}.id`) return null;
  return `\`${parent.field}.*\``;
}

/** The column that names the parent whose record the field is of; null: it is the record's own. */
function parentColumn({ entity: entityName }: Operation, path: string): string | null {
  const { parent } = entityNamed(entityName);
  return parent !== null && path.startsWith(`${parent.field}.`) ? parent.column : null;
}

/** What fills a field of the body: a column, or the parent's record. */
function source({ entity: entityName }: Operation, path: string): string {
  const { columns, parent } = entityNamed(entityName);
  if (columns.some((each) => (each.field ?? each.name) === path)) return `columns of ${entityName}`;
  if (parent === null || !path.startsWith(`${parent.field}.`)) return 'not sent';
  return path === `${parent.field}.id`
    ? `\`reference\` of the record that \`${parent.column}\` names`
    : `what the platform acknowledged of ${parent.entity}`;
}

/** The fields of every reply's `data` that are used: a row for those that are used alike. */
export function replyFields(): string {
  const rows = OPERATION_LIST.filter(({ kind }) => kind !== 'DELETE').flatMap((operation) => {
    const uses = REPLY_USES[operation.name] ?? {};
    const used = schemaFields(operation.reply, operation.certainty.reply).filter(({ path }) => path in uses);
    const row = ({ path, certainty }: SchemaField): readonly [use: string, certainty: string, by: string] => [
      (uses[path] ?? '').replace(/^(kept|read-back)\b.*/, '$1'),
      CERTAINTY_TEXTS[certainty],
      certainty === 'specified' ? '' : replySettings(operation, path),
    ];
    return [...groupBy(used, (field) => row(field).join('\n')).values()].map((fields) => [
      operation.title,
      fieldNames(fields),
      ...row(fields[0]),
    ]);
  });
  return table(['operation', 'fields of `data`', 'used for', 'certainty', 'changed by'], rows);
}

const fieldNames = (fields: readonly SchemaField[]): string =>
  fields.map(({ path }) => `\`${path}\``).join(', ');

function groupBy<Key extends string, Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly [Value, ...Value[]]> {
  const groups = new Map<Key, [Value, ...Value[]]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

export function headersTable(): string {
  return table(
    ['header', 'of', 'meaning', 'form is', 'changed by'],
    REQUEST_HEADERS.flatMap((header) => {
      const { name, ofChange, ofWebhook } = header;
      const row = (
        of: string,
        { meaning, formCertainty }: Pick<typeof header, 'meaning' | 'formCertainty'>,
      ) => [
        `\`${name}\``,
        of,
        meaning,
        CERTAINTY_TEXTS[formCertainty],
        formCertainty === 'specified' ? '' : settingsText(HEADER_SETTINGS[name] ?? []),
      ];
      return [
        row(ofWebhook ? 'requests' : 'requests, webhooks', header),
        ...(ofChange ? [row('changes of a status', ofChange)] : []),
        ...(ofWebhook ? [row('webhooks', ofWebhook)] : []),
      ];
    }),
  );
}

/** Every event, and what becomes of the fields of its layouts. */
export function eventFields(): string {
  return WEBHOOK_EVENTS.map(({ name, description, certainty, layouts }) => {
    const head = `### ${name}\n\n${description} The event is ${CERTAINTY_TEXTS[certainty]}.`;
    if (layouts.length === 0) {
      return `${head} Its payload is not available: it is kept as received, as \`unrecognised\`.`;
    }
    const rows = layouts.map((layout) => {
      const fields = schemaFields(layout.schema, layout.certainty);
      return [
        layout.title,
        [...new Set(fields.map((field) => CERTAINTY_TEXTS[field.certainty]))].join(', '),
        [...new Set(fields.map(({ path }) => eventUse(layout.name, path)))].join(', '),
      ];
    });
    return `${head}\n\n${table(['layout', 'fields are', 'field → name in the inbox'], rows)}`;
  }).join('\n\n');
}

/** `bod` → `birthDate`; a list is kept whole, as JSON. */
function eventUse(layout: keyof typeof EVENT_USES, path: string): string {
  const list = /^(\w+)\[\]/.exec(path)?.[1];
  if (list !== undefined) return `\`${list}\` (JSON)`;
  const name = EVENT_USES[layout][path];
  if (name === undefined) return `\`${path}\` (raw payload only)`;
  return name === path ? `\`${path}\`` : `\`${path}\` → \`${name}\``;
}

/** The statuses that the sandbox answers with, beside success, by how sure each is. */
export function refusals(): string {
  const byCertainty = groupBy(ERROR_ANSWERS, ({ certainty }) => certainty);
  return [...byCertainty]
    .map(
      ([certainty, answers]) =>
        `- ${CERTAINTY_TEXTS[certainty]}: ${[...new Set(answers.map(({ status }) => status))].join(', ')}`,
    )
    .join('\n');
}

/** Every rule by which replies are judged; the first that fits counts. */
export function replyRulesTable(): string {
  return table(
    ['reply', 'with', 'judged as', 'because'],
    [
      CONFIGURED_ROW,
      ...REPLY_RULES.map(({ on, methods, when, as, source }) => [
        methods === undefined ? repliesText(on) : `${repliesText(on)}, to ${methods.join(' or ')}`,
        when?.text ?? '',
        REPLY_MEANINGS[as],
        source,
      ]),
    ],
  );
}

const CONFIGURED_ROW = [
  'the `status` of a row',
  'its `match`, if it has one, anywhere in the body, in any case',
  'its `as`: authentication-refused, rejected, deferred or accepted',
  `the rows of ${CONFIGURED_SOURCE} stand before all others`,
];

function repliesText(on: ReplyRule['on']): string {
  if (on === 'unreachable') return 'no connection';
  if (on === 'silent') return 'none, or not complete';
  const [from, to] = on;
  if (to === Infinity) return 'any other';
  return from === to ? String(from) : `${from} to ${to}`;
}

/** What the interface does not show. */
export function gapsTable(): string {
  return table(
    ['not shown', 'what is done', 'changed by'],
    GAPS.map(({ gap, done, settings, why }) => [gap, done, settingsText(settings, why)]),
  );
}
