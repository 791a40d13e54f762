import { expect, it } from 'vitest';
import { columnSql } from '../../../src/onboarding/init/sql-text.js';
import { type JsonKey, unfoldJson } from '../../../src/onboarding/init/look/open-columns.js';
import { catalogOf } from './catalog-of.js';

function unfolded(keys: readonly JsonKey[]) {
  const [table] = catalogOf({ job: [10, 'id int, terms jsonb'] }).tables;
  if (!table) throw new Error('no table');
  const { table: opened, languages } = unfoldJson(table, new Map([['terms', keys]]));
  return {
    languages,
    columns: opened.columns.slice(1).map((column) => [column.name, column.kind, columnSql('v', column)]),
  };
}

const key = (path: string, type = 'string', count = 10): JsonKey => ({
  path: path.split('.') as [string],
  type,
  count,
});

it('takes texts by language as one text, Indonesian first, then English', () => {
  const { columns, languages } = unfolded([key('en_US'), key('fr_FR'), key('id_ID', 'string', 3)]);
  expect(columns).toEqual([
    [
      'terms',
      'text',
      "coalesce(nullif(btrim(v.terms ->> 'id_ID'), ''), nullif(btrim(v.terms ->> 'en_US'), ''), v.terms ->> 'fr_FR')",
    ],
  ]);
  expect(languages).toMatchObject([{ column: 'terms' }]);
});

it('makes columns of the fields of an object, also one level below', () => {
  const { columns } = unfolded([
    key('pay', 'object'),
    key('pay.min', 'number'),
    key('note'),
    key('skills', 'array'),
  ]);
  expect(columns).toEqual([
    ['terms_pay_min', 'text', "(v.terms -> 'pay' ->> 'min')"],
    ['terms_note', 'text', "(v.terms ->> 'note')"],
    ['terms_skills', 'json', "(v.terms -> 'skills')"],
  ]);
});

it('leaves out fields of people', () => {
  expect(
    unfolded([key('contact_phone'), key('note'), key('pic', 'object'), key('pic.name')]).columns,
  ).toEqual([['terms_note', 'text', "(v.terms ->> 'note')"]]);
});

it('leaves a list or a document of many keys as it is', () => {
  expect(unfolded([]).columns).toEqual([['terms', 'json', 'v.terms']]);
  expect(unfolded([...'abcdefghijklmnopqrstuvwxyz12345'].map((letter) => key(`x${letter}`))).columns).toEqual(
    [['terms', 'json', 'v.terms']],
  );
});

it('quotes a key that has a quote in it', () => {
  expect(unfolded([key("it's")]).columns).toEqual([["terms_it's", 'text', "(v.terms ->> 'it''s')"]]);
});
