import type { Answer } from '../src/domain/reply/reply.js';
import {
  CONFIGURED_SOURCE,
  type JudgeContext,
  REPLY_MEANINGS,
  REPLY_RULES,
  replyRule,
  type ReplyRule,
} from '../src/domain/reply/reply-rules.js';
import { serverInformation } from '../src/contract/fields.js';
import { ERROR_ANSWERS } from '../src/contract/error-answers.js';
import type { Certainty, Operation } from '../src/contract/operation.js';
import { childrenOf, entity as entityNamed, OPERATIONS } from '../src/entities/index.js';
import { REQUEST_HEADERS } from '../src/contract/request-headers.js';
import { type SchemaField, schemaFields } from '../src/contract/schema-fields.js';
import { WEBHOOK_EVENTS } from '../src/contract/webhook/events.js';
import {
  bodySettings,
  GAPS,
  HEADER_SETTINGS,
  operationSettings,
  REFUSAL_SETTINGS,
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

const NEEDED: Readonly<Record<SchemaField['required'], string>> = {
  always: 'yes',
  'in-object': 'in its object',
  no: '',
};

/** Every operation with its certainties and where it is used. */
export function operationsTable(): string {
  return table(
    ['operation', 'request', 'method is', 'path is', 'maturity', 'used for', 'changed by'],
    OPERATION_LIST.map((operation) => [
      operation.title,
      `\`${operation.method} ${operation.path}\``,
      CERTAINTY_TEXTS[operation.certainty.method],
      CERTAINTY_TEXTS[operation.certainty.path],
      operation.maturity ?? '',
      usesOf(operation).join('; '),
      settingsText(operationSettings(operation.name)),
    ]),
  );
}

function usesOf({ kind }: Operation): string[] {
  const use = { GET: 'read-back', DELETE: 'vanished records, when enabled', PUT: 'sync', PATCH: 'sync' }[
    kind
  ];
  return [use, 'sandbox'];
}

/** Every field of every request body, and what fills it. */
export function bodyFields(): string {
  return sections(
    OPERATION_LIST.flatMap((operation) => {
      const { title, body, certainty } = operation;
      if (body === null || certainty.body === null) return [];
      const fields = schemaFields(body, certainty.body);
      return [
        {
          title,
          head: ['field', 'type', 'needed', 'certainty', 'filled from', 'changed by'],
          rows: fields.map(row),
        },
      ];
      function row(field: SchemaField): string[] {
        const { path, type, required } = field;
        return [
          `\`${path}\``,
          type,
          NEEDED[required],
          CERTAINTY_TEXTS[field.certainty],
          source(operation, path),
          field.certainty === 'specified'
            ? ''
            : settingsText(bodySettings(operation, parentColumn(operation, path))),
        ];
      }
    }),
  );
}

/** The column that names the parent whose record the field is of; null: it is the record's own. */
function parentColumn({ entity: entityName }: Operation, path: string): string | null {
  const { parent } = entityNamed(entityName);
  return parent !== null && path.startsWith(`${parent.field}.`) ? parent.column : null;
}

/** The column that fills a field of the body, or the parent's record. */
function source({ entity: entityName }: Operation, path: string): string {
  const entity = entityNamed(entityName);
  const column = entity.columns.find((each) => (each.field ?? each.name) === path);
  if (column !== undefined) return `column \`${column.name}\` of ${entityName}`;
  const { parent } = entity;
  if (parent === null || !path.startsWith(`${parent.field}.`)) return 'not sent';
  return path === `${parent.field}.id`
    ? `\`reference\` of the record that \`${parent.column}\` names`
    : `what the platform acknowledged of ${parent.entity}`;
}

/** Every field of every reply's `data`, and what is done with it. */
export function replyFields(): string {
  return sections(
    OPERATION_LIST.filter(({ kind }) => kind !== 'DELETE').map((operation) => ({
      title: operation.title,
      head: ['field of `data`', 'type', 'needed', 'certainty', 'used for', 'changed by'],
      rows: schemaFields(operation.reply, operation.certainty.reply).map((field) => {
        const use = REPLY_USES[operation.name]?.[field.path];
        return [
          `\`${field.path}\``,
          field.type,
          neededInReply(operation, field.path),
          CERTAINTY_TEXTS[field.certainty],
          use ?? 'not used',
          field.certainty === 'specified' ? '' : replySettings(operation, field.path, use),
        ];
      }),
    })),
  );
}

/** Of a reply only what children need. */
function neededInReply({ kind, entity }: Operation, path: string): string {
  return kind === 'PUT' && path === 'reference' && childrenOf(entity).length > 0 ? 'for children' : '';
}

/** What every reply has around its `data`. */
export function envelopeTable(): string {
  const information = schemaFields(serverInformation, 'specified');
  return table(
    ['field', 'type', 'needed', 'certainty', 'used for'],
    [
      ['`data`', 'object', 'yes', 'specified', 'the result, see below'],
      ['`meta`', 'object', '', 'specified', 'not used'],
      ...information.map(({ path, type }) => [`\`meta.${path}\``, type, '', 'specified', 'not used']),
    ],
  );
}

export function headersTable(): string {
  return table(
    ['header', 'of', 'meaning', 'header is', 'form is', 'changed by'],
    REQUEST_HEADERS.flatMap((header) => {
      const { name, ofChange, ofWebhook } = header;
      const row = (
        of: string,
        { meaning, formCertainty }: Pick<typeof header, 'meaning' | 'formCertainty'>,
      ) => [
        `\`${name}\``,
        of,
        meaning,
        'specified',
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

/** Every event and every field of its layouts. */
export function eventFields(): string {
  return WEBHOOK_EVENTS.map(({ name, description, certainty, layouts }) => {
    const head = `### ${name}\n\n${description} The event is ${CERTAINTY_TEXTS[certainty]}.`;
    if (layouts.length === 0) {
      return `${head} Its payload is not available: it is kept as received, as \`unrecognised\`.`;
    }
    const tables = layouts.map((layout) => {
      const rows = schemaFields(layout.schema, layout.certainty).map((field) => [
        `\`${field.path}\``,
        field.type,
        CERTAINTY_TEXTS[field.certainty],
        eventUse(layout.name, field.path),
      ]);
      return `${layout.title}:\n\n${table(['field', 'type', 'certainty', 'becomes'], rows)}`;
    });
    return [head, ...tables].join('\n\n');
  }).join('\n\n');
}

function eventUse(layout: keyof typeof EVENT_USES, path: string): string {
  const list = /^(\w+)\[\]/.exec(path)?.[1];
  const name = list ?? EVENT_USES[layout][path];
  return name === undefined
    ? 'kept in the raw payload'
    : `\`${name}\`${list === undefined ? '' : ', as JSON'}`;
}

export function refusalsTable(): string {
  return table(
    ['status', 'meaning', 'status is', 'body is', 'what the worker does', 'changed by'],
    ERROR_ANSWERS.map(({ status, meaning, certainty, methods, retryAfter }) => [
      String(status),
      meaning,
      CERTAINTY_TEXTS[certainty],
      CERTAINTY_TEXTS.assumed,
      judgedBy(typeof status === 'number' ? status : 502, methods, retryAfter === true),
      settingsText(REFUSAL_SETTINGS),
    ]),
  );
}

/** How the worker judges an answer of the sandbox; methods that differ are listed apart. */
function judgedBy(status: number, methods: readonly JudgeContext['method'][], waits: boolean): string {
  const answer: Answer = {
    ...{ kind: 'answered', status, result: null, malformed: null, json: { message: '' }, html: false },
    ...{ retryAfter: waits ? '1' : null, date: null, location: null, receivedAt: 0 },
  };
  const byMeaning = new Map<string, string[]>();
  for (const method of methods) {
    const meaning = REPLY_MEANINGS[replyRule(answer, { method, now: 0 }).as];
    byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), method]);
  }
  if (byMeaning.size === 1) return [...byMeaning.keys()].join('');
  return [...byMeaning].map(([meaning, named]) => `${named.join(', ')}: ${meaning}`).join('; ');
}

/** Every rule by which replies are judged; the first that fits counts. */
export function replyRulesTable(): string {
  return table(
    ['reply', 'method', 'with', 'judged as', 'because'],
    [
      CONFIGURED_ROW,
      ...REPLY_RULES.map(({ on, methods, when, as, source }) => [
        repliesText(on),
        methods?.join(', ') ?? '',
        when?.text ?? '',
        REPLY_MEANINGS[as],
        source,
      ]),
    ],
  );
}

const CONFIGURED_ROW = [
  'the `status` of a row',
  '',
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

interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function sections(all: readonly Section[]): string {
  return all.map(({ title, head, rows }) => `### ${title}\n\n${table(head, rows)}`).join('\n\n');
}
