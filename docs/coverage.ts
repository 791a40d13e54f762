import type { Answer } from '../src/domain/reply/reply.js';
import {
  REPLY_MEANINGS,
  REPLY_RULES,
  replyRule,
  type JudgeContext,
  type ReplyRule,
} from '../src/domain/reply/reply-rules.js';
import { serverInformation } from '../src/contract/envelope.js';
import { ERROR_ANSWERS } from '../src/contract/error-answers.js';
import type { Mark } from '../src/contract/mark.js';
import type { Operation } from '../src/contract/operation.js';
import { OPERATIONS } from '../src/entities/operations.js';
import { REQUEST_HEADERS } from '../src/contract/request-headers.js';
import { schemaFields, type SchemaField } from '../src/contract/schema-fields.js';
import { WEBHOOK_EVENTS } from '../src/contract/webhook/events.js';
import { entity as entityNamed } from '../src/entities/index.js';
import { EVENT_USES, REPLY_USES } from './coverage-uses.js';
import { table } from './table.js';

const OPERATION_LIST: readonly Operation[] = Object.values(OPERATIONS);

const MARK_TEXTS: Readonly<Record<Mark, string>> = {
  specified: 'specified',
  documented: 'publicly documented',
  assumed: 'assumed',
};

const NEEDED: Readonly<Record<SchemaField['required'], string>> = {
  always: 'yes',
  'in-object': 'in its object',
  no: '',
};

/** Every operation with its marks and where it is used. */
export function operationsTable(): string {
  return table(
    ['operation', 'request', 'method is', 'path is', 'maturity', 'used for'],
    OPERATION_LIST.map((operation) => [
      operation.title,
      `\`${operation.method} ${operation.path}\``,
      MARK_TEXTS[operation.mark.method],
      MARK_TEXTS[operation.mark.path],
      operation.maturity ?? '',
      usesOf(operation).join('; '),
    ]),
  );
}

function usesOf({ method }: Operation): string[] {
  const use = { GET: 'read-back', DELETE: 'vanished records, when enabled', PUT: 'sync', PATCH: 'sync' }[
    method
  ];
  return [use, 'sandbox'];
}

/** Every field of every request body, and what fills it. */
export function bodyFields(): string {
  return sections(
    OPERATION_LIST.flatMap((operation) => {
      const { title, body, mark } = operation;
      if (body === null || mark.body === null) return [];
      const fields = schemaFields(body, mark.body);
      return [{ title, head: ['field', 'type', 'needed', 'mark', 'filled from'], rows: fields.map(row) }];
      function row(field: SchemaField): string[] {
        const { path, type, required } = field;
        return [`\`${path}\``, type, NEEDED[required], MARK_TEXTS[field.mark], source(operation, path)];
      }
    }),
  );
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
    OPERATION_LIST.filter(({ method }) => method !== 'DELETE').map(({ name, title, reply, mark }) => ({
      title,
      head: ['field of `data`', 'type', 'needed', 'mark', 'used for'],
      rows: schemaFields(reply, mark.reply).map((field) => [
        `\`${field.path}\``,
        field.type,
        NEEDED[field.required],
        MARK_TEXTS[field.mark],
        REPLY_USES[name]?.[field.path] ?? 'not used',
      ]),
    })),
  );
}

/** What every reply has around its `data`. */
export function envelopeTable(): string {
  const information = schemaFields(serverInformation, 'specified');
  return table(
    ['field', 'type', 'needed', 'mark', 'used for'],
    [
      ['`data`', 'object', 'yes', 'specified', 'the result, see below'],
      ['`meta`', 'object', 'yes', 'specified', 'tells the platform’s reply from a proxy’s page'],
      ...information.map(({ path, type }) => [`\`meta.${path}\``, type, '', 'specified', 'not used']),
    ],
  );
}

export function headersTable(): string {
  return table(
    ['header', 'meaning', 'header is', 'form is', 'used for'],
    REQUEST_HEADERS.map(({ name, meaning, formMark }) => [
      `\`${name}\``,
      meaning,
      'specified',
      MARK_TEXTS[formMark],
      'every request; webhook; sandbox',
    ]),
  );
}

/** Every event and every field of its layouts. */
export function eventFields(): string {
  return WEBHOOK_EVENTS.map(({ name, description, mark, layouts }) => {
    const head = `### ${name}\n\n${description} The event is ${MARK_TEXTS[mark]}.`;
    if (layouts.length === 0) {
      return `${head} Its payload is not available: it is kept as received, as \`unrecognised\`.`;
    }
    const tables = layouts.map((layout) => {
      const rows = schemaFields(layout.schema, layout.mark).map((field) => [
        `\`${field.path}\``,
        field.type,
        MARK_TEXTS[field.mark],
        eventUse(layout.name, field.path),
      ]);
      return `${layout.title}:\n\n${table(['field', 'type', 'mark', 'becomes'], rows)}`;
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
    ['status', 'meaning', 'status is', 'body is', 'what the worker does'],
    ERROR_ANSWERS.map(({ status, meaning, mark, methods, retryAfter }) => [
      String(status),
      meaning,
      MARK_TEXTS[mark],
      MARK_TEXTS.assumed,
      judgedBy(status, methods, retryAfter),
    ]),
  );
}

/** How the worker judges an answer of the sandbox; methods that differ are told apart. */
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
    REPLY_RULES.map(({ on, methods, when, as, source }) => [
      repliesText(on),
      methods?.join(', ') ?? '',
      when?.text ?? '',
      REPLY_MEANINGS[as],
      source,
    ]),
  );
}

function repliesText(on: ReplyRule['on']): string {
  if (on === 'unreachable') return 'no connection';
  if (on === 'silent') return 'none, or not complete';
  const [from, to] = on;
  if (to === Infinity) return 'any other';
  return from === to ? String(from) : `${from} to ${to}`;
}

interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function sections(all: readonly Section[]): string {
  return all.map(({ title, head, rows }) => `### ${title}\n\n${table(head, rows)}`).join('\n\n');
}
