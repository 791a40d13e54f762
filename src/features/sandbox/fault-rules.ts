import { z } from 'zod';
import { UUID_PATTERN } from '../../core/contract/fields.js';
import { AREAS } from '../../core/domain/names.js';
import { OPERATION_NAMES } from '../../core/entities/index.js';
import { didYouMean, explainIssue } from '../../core/config/explain-issue.js';
import type { Problem, SettingPath } from '../../core/config/problem.js';
import { parseDuration } from '../../core/config/duration.js';
import {
  choice,
  duration,
  flag,
  LONGEST_TIMER,
  percent,
  text,
  wholeNumber,
} from '../../core/config/schema-walk.js';

/**
 * The file that says what goes wrong in a rehearsal: a list of rules, each with the requests that it takes and one kind of
 * fault (`FAULT_KINDS`). `checkFaults` checks it and completes it.
 */

/** The file without its rules; the schema of its kind checks each rule. */
const faultFile = z.strictObject({
  seed: wholeNumber({ min: 0 }).default(1),
  rules: z.array(z.unknown()).default([]).meta({ type: 'a list of rules' }),
});

/** The requests that a rule takes. All given conditions must fit; a rule without conditions takes every request. */
const selection = {
  name: text().optional(),
  area: choice(AREAS).optional(),
  operation: oneOrMore(choice(OPERATION_NAMES), 'an operation such as putCompany, or a list of them'),
  id: oneOrMore(z.string().regex(UUID_PATTERN), 'a platform id (UUID), or a list of them'),
  from: wholeNumber({ min: 1 }).optional(),
  to: wholeNumber({ min: 1 }).optional(),
  every: wholeNumber({ min: 1 }).optional(),
  burst: wholeNumber({ min: 1 }).optional(),
  share: share(),
  recordShare: share(),
  limit: wholeNumber({ min: 1 }).optional(),
};

/** Whether the request takes effect anyway; the client cannot know. */
const applied = flag();

/** One kind of fault per line, with the fields of its rule beside the selection. */
export const FAULT_KINDS = {
  /**
   * Waits before the request is checked: `delay` and a random part of `jitter`. Several add up; the request goes on.
   */
  latency: rule('latency', {
    delay: duration({ min: '0s', max: LONGEST_TIMER }),
    jitter: duration({ min: '0s', max: LONGEST_TIMER }).prefault('0s'),
  }),
  /** 429 or 503 with Retry-After. */
  'retry-after': rule('retry-after', {
    status: z
      .union([z.literal(429), z.literal(503)])
      .default(429)
      .meta({ type: '429 or 503' }),
    after: duration({ min: '0s', max: LONGEST_TIMER }).prefault('1s'),
    form: choice(['seconds', 'date']).default('seconds'),
  }),
  /** 5xx: with the JSON of the platform itself, or with the text of a gateway. */
  'server-error': rule('server-error', {
    status: wholeNumber({ min: 500, max: 599 }).default(500),
    json: flag().default(true),
    applied: applied.default(false),
  }),
  /** Never answers. */
  'no-reply': rule('no-reply', { applied: applied.default(false) }),
  'drop-before': rule('drop-before', {}),
  'drop-after': rule('drop-after', {}),
  /** Breaks the connection. The request takes effect later, by this time, like one that was long under way. */
  'apply-late': rule('apply-late', { after: duration({ max: LONGEST_TIMER }) }),
  /** The body arrives slowly, over this time. */
  'slow-body': rule('slow-body', { over: duration({ max: LONGEST_TIMER }) }),
  /** Only the first part of the body. `length: whole` announces all of it, so that the break shows. */
  'truncated-reply': rule('truncated-reply', {
    keepPercent: percent().default(50),
    length: choice(['whole', 'kept']).default('whole'),
  }),
  /** A web page, as an edge in front of the platform sends it. */
  html: rule('html', {
    status: wholeNumber({ min: 200, max: 599 }).default(403),
    applied: applied.default(false),
  }),
  /** 200 with JSON that does not fit the contract. */
  'wrong-envelope': rule('wrong-envelope', {
    body: z.json().default({ success: true }).meta({ type: 'JSON' }),
    applied: applied.default(true),
  }),
  /** The clock that judges and answers a request is wrong. Several add up; the request goes on. */
  'clock-offset': rule('clock-offset', { offset: signedDuration() }),
  /** 401, as for a wrong signature. */
  'signature-refused': rule('signature-refused', {}),
  /** 409, as for a Request-Id that came before. */
  'duplicate-request-id': rule('duplicate-request-id', {}),
  /** 422 that names these fields. */
  'fields-refused': rule('fields-refused', {
    fields: z.record(z.string(), text()).meta({ type: 'a block of "field: sentence" lines' }),
  }),
};

const KINDS = Object.keys(FAULT_KINDS);

/** What was found in the content of a file; a value, or problems. */
interface Checked {
  /** Null when there are problems. */
  readonly value: Faults | null;
  readonly problems: readonly Problem[];
}

/** Durations become milliseconds, one operation or id becomes a list of one. Null means no faults. */
export function checkFaults(data: unknown): Checked {
  const written = withoutNull(data);
  const outer = faultFile.safeParse(written);
  const outerProblems = outer.success
    ? []
    : outer.error.issues.flatMap((issue) =>
        issue.path.length === 0 && issue.code === 'invalid_type'
          ? [{ path: [], message: 'must be a block with seed and rules' }]
          : explainIssue(issue, faultFile, written),
      );
  const { rules = [] } = written as { readonly rules?: unknown };
  const checked = (Array.isArray(rules) ? rules : []).map((rule, index) => checkRule(rule, ['rules', index]));
  const problems = [...outerProblems, ...checked.flatMap((each) => each.problems)];
  if (!outer.success || problems.length > 0) return { value: null, problems };
  const complete = checked.flatMap(({ rule }) => (rule === null ? [] : [rule]));
  return { value: { seed: outer.data.seed, rules: complete }, problems };
}

/** A list whose lines are all commented out is null in YAML and means no rules. */
function withoutNull(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('rules' in data) || data.rules !== null)
    return data ?? {};
  const { rules: _, ...rest } = data;
  return rest;
}

interface CheckedRule {
  readonly rule: FaultRule | null;
  readonly problems: readonly Problem[];
}

function checkRule(data: unknown, path: SettingPath): CheckedRule {
  const refused = (message: string, ...at: string[]): CheckedRule => ({
    rule: null,
    problems: [{ path: [...path, ...at], message }],
  });
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return refused('must be a block that begins with a fault');
  const kind = 'fault' in data ? data.fault : undefined;
  if (kind === undefined) return refused(`needs a fault: ${KINDS.join(', ')}`);
  if (typeof kind !== 'string') return refused(`must be one of ${KINDS.join(', ')}`, 'fault');
  if (!isKind(kind)) return refused(`there is no such fault${didYouMean(kind, KINDS)}`, 'fault');
  const schema = FAULT_KINDS[kind];
  const result = schema.safeParse(data);
  if (!result.success) {
    const issues = result.error.issues.flatMap((issue) => explainIssue(issue, schema, data));
    return { rule: null, problems: issues.map((each) => ({ ...each, path: [...path, ...each.path] })) };
  }
  const { from = 1, to, every, burst } = result.data;
  if (to !== undefined && to < from) return refused('must not be less than from', 'to');
  if (burst !== undefined && every === undefined)
    return refused('needs every: the rule takes the first requests of each group', 'burst');
  if (burst !== undefined && burst > (every ?? 0)) return refused('must not be more than every', 'burst');
  if (result.data.fault === 'fields-refused' && Object.keys(result.data.fields).length === 0)
    return refused('must name at least one field', 'fields');
  return { rule: result.data, problems: [] };
}

function isKind(text: string): text is FaultKind {
  return Object.hasOwn(FAULT_KINDS, text);
}

export type FaultKind = keyof typeof FAULT_KINDS;

export type FaultRule = { [K in FaultKind]: z.output<(typeof FAULT_KINDS)[K]> }[FaultKind];

type FaultRuleInput = { [K in FaultKind]: z.input<(typeof FAULT_KINDS)[K]> }[FaultKind];

/** The content of a faults file: durations as text (`300ms`). */
export interface FaultsInput {
  /** Default 1. The same seed and the same requests give the same faults. */
  readonly seed?: number;
  readonly rules?: readonly FaultRuleInput[];
}

/** Checked and completed: durations in milliseconds. */
export interface Faults {
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

function rule<const K extends string, T extends z.core.$ZodShape>(fault: K, parameters: T) {
  return z.strictObject({ ...selection, fault: z.literal(fault), ...parameters });
}

function oneOrMore<T extends z.ZodType<string>>(item: T, type: string) {
  return z
    .union([item, z.array(item).min(1)])
    .transform((value): readonly string[] => (Array.isArray(value) ? value : [value as string]))
    .optional()
    .meta({ type });
}

function share() {
  return z.number().min(0).max(1).meta({ type: 'a share from 0 to 1' }).optional();
}

function signedDuration() {
  const message = 'must be a duration such as 10m, or -10m for a clock that is behind';
  return z
    .string()
    .refine((value) => parseDuration(value.replace(/^[+-]/, '')) !== null, message)
    .transform((value) => (parseDuration(value.replace(/^[+-]/, '')) ?? 0) * (value.startsWith('-') ? -1 : 1))
    .meta({ type: 'a duration such as 10m or -10m' });
}
