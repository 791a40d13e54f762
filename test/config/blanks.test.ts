import { expect, it } from 'vitest';
import { load, problemsOf, SMALL } from './config-folder.js';

it.each([
  ['https://jobs.example', '"https://jobs.example/a b"', 'platform.jobs.baseUrl'],
  ['https://jobs.example', '" https://jobs.example"', 'platform.jobs.baseUrl'],
  ['postgres://reader:pw@db.example/hr', '"postgres://reader:p w@db.example/hr"', 'source.url'],
  ['postgres://reader:pw@db.example/hr', '"postgres://reader:pw@db.example/hr\\n"', 'source.url'],
])('refuses blanks in the address that replaces %s by %s', (from, to, setting) => {
  expect(problemsOf(() => load(SMALL.replace(from, to)))).toEqual([
    expect.stringContaining(`: ${setting}: `),
  ]);
});
