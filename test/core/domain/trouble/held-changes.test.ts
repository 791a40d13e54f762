import { expect, test } from 'vitest';
import type { Hold } from '../../../../src/core/domain/guard.js';
import type { Language } from '../../../../src/core/domain/names.js';
import { findTroubles } from '../../../../src/core/domain/trouble/find-troubles.js';
import { describeTrouble, PLAIN_WORDS } from '../../../../src/features/troubles/describe-trouble.js';
import { company, facts, HOLD } from '../../../features/troubles/sample-facts.js';

function held(changes: Partial<Hold>, language: Language): string {
  const [trouble] = findTroubles(facts({ entities: [company({}, { hold: { ...HOLD, ...changes } })] }));
  if (trouble === undefined) throw new Error('nothing is wrong');
  return describeTrouble(trouble, language, PLAIN_WORDS).sentence;
}

const MASS_CHANGE: Partial<Hold> = {
  guard: 'max-changed-percent',
  message: '120 of 120 records changed (100 %).',
  counts: { vanished: 0, invalid: 0, changed: 120 },
};

test('a hold by changes is described with their number and with what an approval does, in both languages', () => {
  const english = held(MASS_CHANGE, 'en');
  expect(english).toContain(
    'The share of records that changed at once is too large. 120 of 120 records changed',
  );
  expect(english).toContain('If you approve: 120 companies will be OVERWRITTEN');
  const indonesian = held(MASS_CHANGE, 'id');
  expect(indonesian).toContain('Berubah: 120.');
  expect(indonesian).toContain('guards.maxChangedPercent');
  expect(indonesian).toContain('120 companies akan DITIMPA');
});

test('a hold by renewed keys asks the question in both languages', () => {
  const renewed = { counts: { vanished: 194, invalid: 0, renewed: 194 } };
  expect(held(renewed, 'en')).toContain('194 companies with new keys will be CREATED');
  expect(held(renewed, 'id')).toContain('Kunci baru: 194. Apakah kuncinya diganti?');
});

test('the number of a hold counts its changed records', () => {
  const [trouble] = findTroubles(facts({ entities: [company({}, { hold: { ...HOLD, ...MASS_CHANGE } })] }));
  expect(trouble).toMatchObject({ kind: 'held', count: 120 });
});
