import { expect, test } from 'vitest';
import { settingsSchema } from '../../src/config/schema.js';
import { secretTexts } from '../../src/config/secrets.js';

const ofSource = (url: string) => secretTexts(settingsSchema, { source: { url } });

test('the password of a database is secret as it is written and as the driver decodes it', () => {
  expect(ofSource('postgres://hr:p%40ss%2Fword@db.example/hr')).toEqual(['p%40ss%2Fword', 'p@ss/word']);
});

test('a password without a user, in a parameter, or of an address that is none is secret too', () => {
  expect(ofSource('postgres://:hidden@db.example/hr')).toEqual(['hidden']);
  expect(ofSource('postgres://db.example/hr?password=p%40ss')).toEqual(['p@ss', 'p%40ss']);
  expect(ofSource('not an address')).toEqual(['not an address']);
});

test('what is shorter than four characters would be found in any text', () => {
  expect(ofSource('postgres://hr:abc@db.example/hr')).toEqual([]);
});
