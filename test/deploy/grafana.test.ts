import { expect, it } from 'vitest';
import { metricNames, namesIn } from '../features/notices/receivers.js';
import { readDashboard } from './manifests.js';

const { panels, templating } = readDashboard();
const queries = [
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...templating.list.flatMap(({ definition }) => (definition === undefined ? [] : [definition])),
];
const shown = queries.flatMap(namesIn);
const known = await metricNames();

it('asks only for metrics that there are', () => {
  expect(shown.filter((name) => !known.has(name))).toEqual([]);
});

it('shows every metric', () => {
  const told = new Set(shown);
  // The buckets of a histogram say more than its sum and its count.
  const isTold = (name: string) => told.has(name) || told.has(name.replace(/_(sum|count)$/, '_bucket'));
  expect([...known].filter((name) => !isTold(name))).toEqual([]);
});

it('uses only variables that it has', () => {
  const variables = new Set(templating.list.map(({ name }) => name));
  const used = queries.flatMap((query) => [...query.matchAll(/\$(\w+)/g)].map(([, name = '']) => name));
  expect(used.filter((name) => !name.startsWith('__') && !variables.has(name))).toEqual([]);
});

it('has panels that say what they show and do not lie on each other', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { type, title, description, targets = [] } of panels)
    if (type !== 'row') {
      expect(description, title).toMatch(/\.$/);
      expect(targets, title).not.toHaveLength(0);
    }
});
