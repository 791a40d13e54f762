import { expect, test } from 'vitest';
import { issueText } from '../../src/domain/issue.js';

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
] as const)('%o is one line with its field', (issue, text) => {
  expect(issueText(issue)).toBe(text);
});
