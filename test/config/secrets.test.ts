import { describe, expect, test } from 'vitest';
import { settingsSchema } from '../../src/config/schema.js';
import { maskAddress, secretTexts } from '../../src/config/secrets.js';

describe('secrets', () => {
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
});

describe('mask', () => {
  test.each([
    ['postgres://hr:hidden@db.example/hr', 'postgres://hr:***@db.example/hr'],
    ['postgres://:hidden@db.example/hr', 'postgres://:***@db.example/hr'],
    ['postgres://hr@db.example/hr', 'postgres://hr@db.example/hr'],
    [
      'postgres://db.example/hr?password=hidden&sslmode=require',
      'postgres://db.example/hr?password=***&sslmode=require',
    ],
    ['postgres://db.example/hr?sslPassword=hidden', 'postgres://db.example/hr?sslPassword=***'],
    ['postgres://hr:hid den@:x/hr', '***'],
  ])('%s is printed as %s', (address, printed) => {
    expect(maskAddress(address)).toBe(printed);
  });
});
