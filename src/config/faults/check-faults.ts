import { didYouMean } from '../did-you-mean.js';
import { explainIssue } from '../explain-issue.js';
import type { Problem, SettingPath } from '../problem.js';
import type { Checked } from '../rehearsal-file.js';
import { FAULT_KINDS, faultFile, type FaultKind, type FaultRule, type Faults } from './fault-schema.js';

const KINDS = Object.keys(FAULT_KINDS);

/**
 * Checks and completes faults: durations become milliseconds, one operation or id becomes a list of one.
 * @param data the content of a faults file; null means no faults
 */
export function checkFaults(data: unknown): Checked<Faults> {
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
