import { expect, test } from 'vitest';
import { table } from '../../../src/cli/output/table.js';

const HEAD = ['', 'read', 'unchanged'];
const ROWS = [
  ['companies', 1_200, 3],
  ['vacancies', 5, 0],
];

test('a table that fits has a row a line, numbers to the right', () => {
  expect(table(HEAD, ROWS, 80).split('\n')).toEqual([
    '            read  unchanged',
    'companies  1,200          3',
    'vacancies      5          0',
  ]);
});

test('one that is wider than the terminal is turned on its side', () => {
  expect(table(HEAD, [['companies', 1_200, 3]], 26).split('\n')).toEqual([
    '           companies',
    'read           1,200',
    'unchanged          3',
  ]);
});

test('a long value of a block goes on below itself', () => {
  const rows = [['companies', 'the name is too short and the pay too low', 'c001']];
  expect(table(['', 'reason', 'key'], rows, 30).split('\n')).toEqual([
    'companies',
    '  reason  the name is too',
    '            short and the pay',
    '            too low',
    '  key     c001',
  ]);
});

test('one that is too wide in both ways becomes blocks', () => {
  expect(table(HEAD, ROWS, 20).split('\n')).toEqual([
    'companies',
    '  read       1,200',
    '  unchanged  3',
    'vacancies',
    '  read       5',
    '  unchanged  0',
  ]);
});
