import { expect, test } from 'vitest';
import { maskAddress } from '../../src/config/secrets.js';

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
