import { describe, expect, test } from 'vitest';
import {
  translateStateError,
  withoutParticulars,
} from '../../../src/state/database/translate-state-error.js';
import { openTestState } from '../open-test-state.js';

describe('translate state error', () => {
  test('a long message of the server is one line of a log, whatever the length of its statement', async () => {
    const state = await openTestState();
    await state.sql(`create function shout() returns text language plpgsql as
    $$ begin raise exception E'first\\n%', repeat('x', 300000); end $$`);
    const error: unknown = await state.sql('select shout()').catch((reason: unknown) => reason);
    expect((error as Error).message.length).toBeGreaterThan(300_000);
    const { code, message } = translateStateError(error, '');
    expect(code).toBe('state-failed');
    expect(message).toContain('failed: first xxx');
    expect(message.length).toBeLessThan(1_100);
    const ofKnex = new Error(`select '${'y'.repeat(5_000)}' - relation does not exist`);
    expect(translateStateError(ofKnex, '').message).toContain('failed: relation does not exist');
  });
});

describe('without particulars', () => {
  const TEXTS = {
    'the code "Kota Bogor" is not known, nor is “Solo” or ‘Medan’':
      'the code "…" is not known, nor is "…" or "…"',
    "it isn't the value 'x' of Müller's form, but 'y'": `it isn't the value "…" of Müller's form, but "…"`,
    'mail of budi@example.com about 0b5f3c9e-6a64-4c7e-8a53-3f0f6f0e2a01': 'mail of <email> about <id>',
    'call +62 812-3456-7890 about 2026-01-31 or 42': 'call +<number> about <number> or 42',
    "'first' word, then é'kept'": `"…" word, then é'kept'`,
  };

  test('a message loses what is about one record', async () => {
    const state = await openTestState();
    const rows = await state.sql<{ text: string }>(
      `select ${withoutParticulars('text')} as text from unnest($1::text[]) with ordinality as t(text, n) order by n`,
      [Object.keys(TEXTS)],
    );
    expect(rows.map(({ text }) => text)).toEqual(Object.values(TEXTS));
  });
});
