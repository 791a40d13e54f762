import { expect, test } from 'vitest';
import type { Catalog } from '../../../src/features/catalog/catalog.js';
import { findLinks } from '../../../src/features/init/links.js';
import { linkCandidates } from '../../../src/features/init/look/test-links.js';
import { rank } from '../../../src/features/init/rank.js';
import { catalogOf } from './catalog-of.js';

/** A name without digits, another one for each number. */
const word = (number: number) =>
  `w${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)] ?? '').join('a')}`;

/** A database in which each table names the one before it, with how often somebody has asked for a table's oid. */
function countingCatalog(size: number): { readonly catalog: Catalog; readonly asked: () => number } {
  const nameOf = (at: number) => `${at % 10 === 0 ? 'company' : 'vacancy'}_${word(at)}`;
  const parentOf = (at: number) => (at === 0 ? '' : ` > ${nameOf(at - 1)}`);
  const lines = Array.from(
    { length: size },
    (_, at) =>
      `${nameOf(at)} 100: id int, title text, company_id int${parentOf(at)}, ${word(at >> 1)}_id int`,
  );
  const catalog = catalogOf(lines.join('\n'));
  let count = 0;
  const tables = catalog.tables.map((table) =>
    Object.defineProperty({ ...table }, 'oid', {
      enumerable: true,
      get: () => {
        count += 1;
        return table.oid;
      },
    }),
  );
  return { catalog: { ...catalog, tables }, asked: () => count };
}

test.each([
  ['findLinks', findLinks],
  ['rank', rank],
] as const)('the work of %s grows with the number of tables, not with its square', (_, work) => {
  const stepsFor = (size: number) => {
    const { catalog, asked } = countingCatalog(size);
    work(catalog);
    return asked();
  };
  // Eight times as many tables: what is quadratic takes 64 times as many steps.
  expect(stepsFor(800)).toBeLessThan(16 * stepsFor(100));
});

test('where each customer has a schema, a column is compared with few of the tables that are called alike', () => {
  const { tables } = catalogOf(`
    company 3: id int, name text
    vacancy 9: id int, companyid int`);
  const many = Array.from({ length: 60 }, (_, at) =>
    tables.map((table) => ({ ...table, oid: at * 2 + table.oid, schema: word(at) })),
  ).flat();
  const [last] = many.slice(-2);
  const near = new Set(last ? [last.oid] : []);
  const found = linkCandidates(many, near, []).filter(({ column }) => column.name === 'companyid');
  // The likely one is compared first.
  expect(found.slice(0, 60).every(({ to }) => to.oid === last?.oid)).toBe(true);
  expect(new Set(found.map(({ to }) => to.oid)).size).toBeLessThanOrEqual(20);
});
