import { expect, test } from 'vitest';
import { type PlanNode, repeatedScans } from '../../../src/features/doctor/sql/plan.js';

const ROWS: Readonly<Record<string, number>> = { job: 1_934, tag: 5_000, town: 3 };
const rowsOf = ({ name }: { readonly name: string }): number | null => ROWS[name] ?? null;

const scan = (name: string, more: Partial<PlanNode> = {}): PlanNode => ({
  'Node Type': 'Seq Scan',
  Schema: 'hr',
  'Relation Name': name,
  Alias: name.slice(0, 1),
  'Plan Rows': 10,
  ...more,
});

const loop = (outer: PlanNode, inner: PlanNode, more: Partial<PlanNode> = {}): PlanNode => ({
  'Node Type': 'Nested Loop',
  'Plan Rows': 10,
  Plans: [
    { ...outer, 'Parent Relationship': 'Outer' },
    { ...inner, 'Parent Relationship': 'Inner' },
  ],
  ...more,
});

test('the inner side of a nested loop counts with the real rows of the outer table, not with the estimated ten', () => {
  expect(repeatedScans(loop(scan('job'), scan('tag', { Filter: '(t.job_id = j.id)' })), rowsOf)).toEqual([
    { schema: 'hr', name: 'tag', times: 1_934, outer: 'job', rows: 5_000, column: 'job_id' },
  ]);
});

test('the column is found in the condition of the loop, on either side and with a cast', () => {
  const join = { 'Join Filter': '((j.id)::text = (t.job_code)::text)' };
  expect(repeatedScans(loop(scan('job'), scan('tag'), join), rowsOf)[0]?.column).toBe('job_code');
});

test('a LATERAL aggregate is looked into', () => {
  const inner = { 'Node Type': 'Aggregate', Plans: [scan('tag', { 'Parent Relationship': 'Outer' })] };
  expect(repeatedScans(loop(scan('job'), inner), rowsOf)).toHaveLength(1);
});

test('what is materialised costs a tenth', () => {
  const inner = { 'Node Type': 'Materialize', Plans: [scan('tag', { 'Parent Relationship': 'Outer' })] };
  expect(repeatedScans(loop(scan('job'), inner), rowsOf)[0]?.times).toBeCloseTo(193.4);
});

test('a subquery per row counts, a hashed one and one that is read once do not', () => {
  const child = (more: Partial<PlanNode>) => ({ ...scan('tag'), 'Parent Relationship': 'SubPlan', ...more });
  const of = (plan: PlanNode, filter = '') => ({ ...scan('job'), Filter: filter, Plans: [plan] });
  expect(repeatedScans(of(child({ 'Subplan Name': 'SubPlan 1' })), rowsOf)).toMatchObject([
    { times: 1_934, outer: 'job' },
  ]);
  const hashed = of(child({ 'Subplan Name': 'SubPlan 1' }), '(NOT (ANY (j.id = (hashed SubPlan 1).col1)))');
  expect(repeatedScans(hashed, rowsOf)).toEqual([]);
  expect(repeatedScans(of(child({ 'Parent Relationship': 'InitPlan' })), rowsOf)).toEqual([]);
});

test('an index that is searched, and tables that are read once, do not count', () => {
  const index = scan('tag', { 'Node Type': 'Index Scan', 'Index Cond': '(t.job_id = j.id)' });
  expect(repeatedScans(loop(scan('job'), index), rowsOf)).toEqual([]);
  const hash: PlanNode = {
    'Node Type': 'Hash Join',
    Plans: [
      { ...scan('job'), 'Parent Relationship': 'Outer' },
      {
        'Node Type': 'Hash',
        'Parent Relationship': 'Inner',
        Plans: [scan('tag', { 'Parent Relationship': 'Outer' })],
      },
    ],
  };
  expect(repeatedScans(hash, rowsOf)).toEqual([]);
});
