import { expect, test } from 'vitest';
import { issueText, shownIssue } from '../../src/domain/issue.js';

test.each([
  [{ field: 'name', code: 'required', message: 'is required', value: '  ' }, 'name is required'],
  [
    { field: 'quota', code: 'type', message: 'must be a whole number', value: 'many' },
    'quota must be a whole number (value: many)',
  ],
  [
    { field: 'industry', code: 'unmapped', message: 'the code "X90" is not in industries.csv', value: 'X90' },
    'industry: the code "X90" is not in industries.csv',
  ],
  [
    { field: 'about', code: 'format', message: 'must be text', value: `a\n${'b'.repeat(99)}` },
    `about must be text (value: a ${'b'.repeat(58)}…)`,
  ],
  [
    { field: 'region.id', column: 'region_id', code: 'format', message: 'must be a UUID', value: '7' },
    'region.id must be a UUID (column region_id) (value: 7)',
  ],
] as const)('%o is one line with its field', (issue, text) => {
  expect(issueText(issue)).toBe(text);
});

test('documents have an issue with its texts, and nothing of what these are made of', () => {
  const message = 'the code "Solo" is not in cities.csv';
  const found = { field: 'region.id', code: 'unmapped', message, hint: 'to cities.csv.' } as const;
  const lookup = { code: 'Solo', todo: 'add' } as const;
  expect(JSON.stringify(shownIssue({ ...found, column: 'region_id', lookup }))).toBe(
    JSON.stringify({
      ...found,
      message: `${message} (column region_id)`,
      hint: 'Add the code "Solo" to cities.csv.',
    }),
  );
  // As an earlier version stored it.
  const stored = { field: 'name', code: 'required', message: 'is required' } as const;
  expect(shownIssue(stored)).toEqual(stored);
});
