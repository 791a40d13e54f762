import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { FAULT_KINDS } from '../../../../src/features/sandbox/fault-rules.js';
import { FAULTS_FILE } from '../../../../src/features/sandbox/faults-file.js';
import { SyncError } from '../../../../src/core/domain/errors.js';
import { temporaryFolder } from '../../../temporary-folder.js';

function problemsOf(text: string): string[] {
  try {
    FAULTS_FILE.parse(text, 'faults.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(SyncError);
    expect((error as SyncError).scope).toBe('usage');
    return (error as SyncError).message.split('\n').slice(1);
  }
  return [];
}

const rule = (lines: string): string => `seed: 1\nrules:\n  - ${lines}\n`;

it.each([
  ['seed: x', 'faults.yaml:1:1: seed: must be a whole number, 0 or more'],
  ['seeds: 1', 'faults.yaml:1:1: seeds: there is no such setting; did you mean "seed"?'],
  ['rules: latency', 'faults.yaml:1:1: rules: must be a list of rules'],
  ['- fault: latency', 'faults.yaml:1:1: must be a block with seed and rules'],
  ['rules:\n\t- x', 'faults.yaml:2:1: a tab is used for indentation; use spaces'],
  [rule('latency'), 'faults.yaml:3:5: rules[0]: must be a block that begins with a fault'],
  [rule('fault: latncy'), 'faults.yaml:3:5: rules[0].fault: there is no such fault; did you mean "latency"?'],
  [
    rule('{ fault: latency, delay: 5 }'),
    'faults.yaml:3:23: rules[0].delay: must be a duration such as 500ms, 30s, 10m, 6h or 7d',
  ],
  [rule('{ fault: latency, delay: 30d }'), 'rules[0].delay: must be at most 24d'],
  [rule('{ fault: slow-body, over: 600d }'), 'rules[0].over: must be at most 24d'],
  [rule('{ fault: apply-late, after: 25d }'), 'rules[0].after: must be at most 24d'],
  [
    rule('{ fault: drop-after, after: 5s }'),
    'faults.yaml:3:26: rules[0].after: there is no such setting; known here: ',
  ],
  [
    rule('{ fault: drop-after, opration: putCompany }'),
    'faults.yaml:3:26: rules[0].opration: there is no such setting; did you mean "operation"?',
  ],
  [
    rule('{ fault: drop-after, operation: putCompanies }'),
    'faults.yaml:3:26: rules[0].operation: must be an operation such as putCompany, or a list of them',
  ],
  [rule('{ fault: drop-after, share: 10 }'), 'rules[0].share: must be a share from 0 to 1'],
  [rule('{ fault: drop-after, from: 5, to: 2 }'), 'rules[0].to: must not be less than from'],
  [rule('{ fault: drop-after, burst: 2 }'), 'rules[0].burst: needs every'],
  [rule('{ fault: retry-after, status: 500 }'), 'rules[0].status: must be 429 or 503'],
  [rule('{ fault: clock-offset, offset: soon }'), 'rules[0].offset: must be a duration such as 10m, or -10m'],
  [rule('{ fault: fields-refused, fields: {} }'), 'rules[0].fields: must name at least one field'],
])('says of %j where it is wrong and what it must be', (text, message) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(message);
});

it('tells all problems at once, in the order of the file', () => {
  const problems = problemsOf(
    'rules:\n  - { fault: latency }\n  - { fault: html, status: 99 }\nseed: -1\nextra: 1\n',
  );
  expect(problems.map((line) => /^faults.yaml:(\d+)/.exec(line)?.[1])).toEqual(['2', '3', '4', '5']);
});

it('takes a file in which nothing is set as no faults', () => {
  for (const text of ['', '# nothing\n', 'rules: []', 'rules:\n']) {
    expect(FAULTS_FILE.checked(FAULTS_FILE.parse(text, 'faults.yaml')), text).toEqual({ seed: 1, rules: [] });
  }
});

it('completes a rule: durations in milliseconds, one operation as a list', () => {
  const faults = { rules: [{ fault: 'latency', delay: '1.5s', operation: 'putCompany' }] } as const;
  expect(FAULTS_FILE.checked(faults)).toEqual({
    seed: 1,
    rules: [{ fault: 'latency', delay: 1500, jitter: 0, operation: ['putCompany'] }],
  });
});

it('says why a file cannot be read', () => {
  expect(() => FAULTS_FILE.read('nowhere.yaml', tmpdir())).toThrow(
    'the faults file nowhere.yaml does not exist',
  );
  const folder = temporaryFolder({ 'latin.yaml': Buffer.from([0xe9]) });
  expect(() => FAULTS_FILE.read('latin.yaml', folder)).toThrow('is not UTF-8');
});

it('has every kind of fault in the example, which is valid', () => {
  const { rules } = FAULTS_FILE.checked(FAULTS_FILE.read('config/faults.example.yaml'));
  expect(new Set(rules.map(({ fault }) => fault))).toEqual(new Set(Object.keys(FAULT_KINDS)));
});
