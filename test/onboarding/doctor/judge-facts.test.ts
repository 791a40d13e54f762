import { expect, test } from 'vitest';
import { generalCheck, type Check } from '../../../src/onboarding/doctor/check.js';
import { CHECKS } from '../../../src/onboarding/doctor/checks.js';
import { replica } from '../../../src/onboarding/doctor/checks/replica.js';
import { sourceClock } from '../../../src/onboarding/doctor/checks/source-clock.js';
import { tls } from '../../../src/onboarding/doctor/checks/tls.js';
import type { DoctorFacts, SourceFacts } from '../../../src/onboarding/doctor/facts.js';
import { fail, pass, warn } from '../../../src/onboarding/doctor/finding.js';
import { judgeFacts } from '../../../src/onboarding/doctor/judge-facts.js';

const FACTS: DoctorFacts = {
  settings: {
    source: {
      url: 'postgres://reader@db.example.org/hr',
      timeZone: null,
      sessionTimeZone: null,
      rowSecurity: 'refuse',
      statementTimeoutMs: 1,
    },
    platformTimeZone: 'Asia/Jakarta',
    maxInvalidPercent: 50,
    today: '2026-05-01',
  },
  source: { cause: 'no connection' },
  state: { cause: 'no connection' },
  areas: [],
  entities: [],
};

const withSource = (
  source: { server?: Partial<SourceFacts['server']> } & Partial<Omit<SourceFacts, 'server'>>,
) => ({
  ...FACTS,
  source: {
    value: { ...source, server: { encrypted: false, replica: false, ...source.server } } as SourceFacts,
  },
});

const check = (id: string, judge: Check['judge']): Check => ({
  ...generalCheck({ id, levels: [], looksAt: '', remedy: '', judge: () => [] }),
  judge,
});

test('a check that goes wrong ends nothing: it says so, and the others are there', () => {
  const broken = check('broken', () => {
    throw new TypeError('row of a person');
  });
  const sound = generalCheck({
    id: 'sound',
    levels: [],
    looksAt: '',
    remedy: '',
    judge: () => [pass('fine')],
  });
  expect(judgeFacts(FACTS, [broken, sound])).toMatchObject([
    { id: 'broken', level: 'warn', message: 'not checked: TypeError in the check itself' },
    { id: 'sound', level: 'pass' },
  ]);
});

test('what fails comes first, then warnings, then what was not checked; each in the order of the checks', () => {
  const of = (id: string, verdict: ReturnType<typeof pass>) =>
    generalCheck({ id, levels: [], looksAt: '', remedy: '', judge: () => [verdict] });
  const checks = [
    of('a', pass('')),
    of('b', { ...warn('', null), undone: true }),
    of('c', warn('', null)),
    of('d', fail('', null)),
    of('e', fail('', null)),
  ];
  expect(judgeFacts(FACTS, checks).map(({ id }) => id)).toEqual(['d', 'e', 'c', 'b', 'a']);
});

test('every check has an id of its own, and says what it looks at and what to do', () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  for (const { id, looksAt, remedy } of CHECKS) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(looksAt).toMatch(/^[a-zHJL].*[^.]$/);
    expect(remedy).toMatch(/\.$/);
  }
});

test('no check reports a level that the documentation does not have', () => {
  for (const { id, level } of judgeFacts(FACTS)) {
    const known = CHECKS.find((each) => each.id === id)?.levels ?? [];
    expect(level === 'pass' || level === 'warn' || known.includes(level), id).toBe(true);
  }
});

test('a connection over a network should be encrypted', () => {
  expect(tls.judge(withSource({}))).toMatchObject([
    { level: 'warn', hint: expect.stringContaining('sslmode') as string },
  ]);
  expect(tls.judge(withSource({ server: { encrypted: true } }))).toMatchObject([{ level: 'pass' }]);
});

test('a replica that cancels reads', () => {
  expect(replica.judge(withSource({ server: { replica: true }, cancelsReads: true }))).toMatchObject([
    { level: 'warn' },
  ]);
  expect(replica.judge(withSource({ server: { replica: true }, cancelsReads: false }))).toMatchObject([
    { level: 'pass' },
  ]);
});

test('a source whose clock differs', () => {
  expect(sourceClock.judge(withSource({ clockAheadMs: 120_000 }))).toMatchObject([
    { level: 'warn', message: 'the clock of the source is 120 s ahead of ours' },
  ]);
  expect(sourceClock.judge(withSource({ clockAheadMs: -59_000 }))).toMatchObject([{ level: 'pass' }]);
});
