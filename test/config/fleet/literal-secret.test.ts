import { describe, expect, it } from 'vitest';
import { literalSecret } from '../../../src/config/fleet/reference-problems.js';

describe('a text that is secret as a whole', () => {
  it.each(['${KEY}', '${A}${B}', '${KEY:-}', ' ${KEY} ', ''])('%j holds no secret itself', (text) => {
    expect(literalSecret(text, 'whole')).toBeNull();
  });

  it.each(['hunter2', '${KEY:-hunter2}', 'x${KEY}', '${KEY}x', '$${KEY}', '10000'])('%j does', (text) => {
    expect(literalSecret(text, 'whole')).toBe('whole');
  });
});

describe('an address', () => {
  it.each([
    '${URL}',
    '${URL:-}',
    '${URL:-postgres://db.example/hr}',
    'postgres://reader:${PW}@db.example:5432/hr',
    'postgres://${USER}:${A}${B}@${HOST}:${PORT:-5432}/${DB}',
    'postgres://reader@db.example/hr',
    'postgres://db.example/hr?password=${PW}&sslmode=require',
    'http://user:${PW}@${HOST}.example:3128',
    'http://proxy.example:${PORT}',
    'http://proxy.${DOMAIN}',
    'smtps://mail:${PW}@mail.example.com:465',
  ])('%s holds no password itself', (text) => {
    expect(literalSecret(text, 'address')).toBeNull();
  });

  it.each([
    'postgres://reader:hunter2@db.example/hr',
    '${SCHEME}://reader:hunter2@db.example/hr',
    'postgres://:hunter2@db.example/hr',
    'postgres://reader:${PW:-hunter2}@db.example/hr',
    'postgres://reader:hunter${PW}@db.example/hr',
    'postgres://reader:10000@${HOST}/hr',
    'postgres://reader:$$${PW}@db.example/hr',
    '${URL:-postgres://reader:hunter2@db.example/hr}',
    'postgres://db.example/hr?password=hunter2',
    'postgres://db.example/hr?sslpassword=${PW:-hunter2}',
  ])('%s does', (text) => {
    expect(literalSecret(text, 'address')).toBe('password');
  });

  it.each(['${BASE}/hr', 'postgres://reader:12/hunter${X}@db.example/hr'])('%s may hide one', (text) => {
    expect(literalSecret(text, 'address')).toBe('hidden');
  });

  it.each(['postgres//reader:hunter2@db', 'postgres://reader:12/34@db.example/hr'])(
    '%s is left to the schema, which refuses it',
    (text) => {
      expect(literalSecret(text, 'address')).toBeNull();
    },
  );
});
