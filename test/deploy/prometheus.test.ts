import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FLEET_METRICS, METRIC_PREFIX } from '../../src/features/metrics/metric-list.js';
import { metricNames, namesIn } from '../features/notices/receivers.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

const ALERTS = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const rules = ALERTS.groups.flatMap((group) => group.rules);
const { tests } = parse(readFileSync('deploy/prometheus/alerts.test.yaml', 'utf8')) as {
  tests: { name: string; promql_expr_test: { expr: string; exp_samples: unknown[] }[] }[];
};
const known = new Set([
  ...(await metricNames()),
  ...Object.keys(FLEET_METRICS).map((name) => `${METRIC_PREFIX}${name}`),
]);
const RUNBOOK = 'docs/operate.md';

describe.each(rules)('$alert', ({ alert, expr, labels, annotations }) => {
  it('asks for metrics that there are', () => {
    const names = namesIn(expr);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('says what is wrong, how bad it is, and where to read on', () => {
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\S/) as string,
      description: expect.stringMatching(/\.$/) as string,
      runbook: `placement-sync help runbook ${alert}`,
    });
  });

  it('has a unit test in which it fires', () => {
    const checks = tests.find(({ name }) => name === alert)?.promql_expr_test ?? [];
    for (const check of checks) expect(check.expr).toContain(`"${alert}"`);
    expect(checks.some(({ exp_samples }) => exp_samples.length > 0)).toBe(true);
  });

  if (existsSync(RUNBOOK))
    it('has its heading in the runbook', () => {
      expect(readFileSync(RUNBOOK, 'utf8').split('\n')).toContain(`### ${alert}`);
    });
});

it('asks for staleness first', () => {
  expect(rules[0]?.alert).toBe('PlacementSyncStale');
});
