import { expect, test } from 'vitest';
import { withoutParticulars } from '../../../src/domain/issue-group.js';
import { withoutParticulars as asSql } from '../../../src/state/database/translate-state-error.js';
import { openTestState } from '../open-test-state.js';

const TEXTS = [
  'the code "Kota Bogor" is not known, nor is “Solo” or ‘Medan’',
  "it isn't the value 'x' of Müller's form, but 'y'",
  'mail of budi@example.com about 0b5f3c9e-6a64-4c7e-8a53-3f0f6f0e2a01',
  'call +62 812-3456-7890 about 2026-01-31 or 42',
  "'first' word, then é'kept'",
];

test('a message is cut alike in a program and in the ledger', async () => {
  const state = await openTestState();
  const rows = await state.sql<{ text: string }>(
    `select ${asSql('text')} as text from unnest($1::text[]) with ordinality as t(text, n) order by n`,
    [TEXTS],
  );
  expect(rows.map(({ text }) => text)).toEqual(TEXTS.map(withoutParticulars));
  expect(new Set(TEXTS.map(withoutParticulars)).size).toBe(TEXTS.length);
});
