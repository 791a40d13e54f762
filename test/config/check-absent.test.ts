import { expect, it } from 'vitest';
import { configuredEntities } from '../../src/cli/compose/configured-entities.js';
import { load, problemsOf, SMALL } from './config-folder.js';

const withAbsent = (setting: string, more = '') => `${SMALL}${more}    absent: ${setting}\n`;

it.each([
  ['{ webiste: null }', 'absent.webiste: companies has no column "webiste"; did you mean "website"?'],
  [
    '{ name: null }',
    'absent.name: the field of this column is never absent; columns that may be absent: region_type',
  ],
  ['{ key: omit }', 'absent.key: the field of this column is never absent'],
  ['leave', 'absent: must be omit, null, or a block of column: omit or null'],
  ['{ website: clear }', 'absent: must be omit, null, or a block of column: omit or null'],
])('names %s with its line', (setting, message) => {
  expect(problemsOf(() => load(withAbsent(setting)))).toEqual([
    expect.stringContaining(`config.yaml:13: entities.companies.${message}`),
  ]);
});

it('names each column of a longer block at its own line', () => {
  const block = '\n      website: null\n      phon: null\n      addres: omit';
  expect(problemsOf(() => load(withAbsent(block)))).toEqual([
    'config.yaml:15: entities.companies.absent.phon: companies has no column "phon"; did you mean "phone"?',
    'config.yaml:16: entities.companies.absent.addres: companies has no column "addres"; did you mean "address"?',
  ]);
});

it.each(['omit', 'null', '~', '{ website: null, industry: omit }', '{ headcount: null }'])(
  'takes %s',
  (setting) => {
    expect(load(withAbsent(setting, '    extraFields: { size: headcount }\n')).entities.size).toBe(1);
  },
);

it('counts in the mapping fingerprint as far as it changes what is sent', () => {
  const fingerprint = (yaml: string) => configuredEntities(load(yaml))[0]?.fingerprint;
  const usual = fingerprint(SMALL);
  const whole = SMALL.replace('platform:\n', 'platform:\n  absent: null\n');
  const ofArea = SMALL.replace('clientId: partner\n', 'clientId: partner\n    absent: null\n');
  expect(fingerprint(withAbsent('omit'))).toBe(usual);
  expect(fingerprint(whole)).not.toBe(usual);
  expect(fingerprint(withAbsent('null'))).toBe(fingerprint(whole));
  expect(fingerprint(ofArea)).toBe(fingerprint(whole));
  expect(fingerprint(withAbsent('{ website: null }'))).not.toBe(fingerprint(whole));
  expect(fingerprint(withAbsent('{ website: null }'))).not.toBe(usual);
});
