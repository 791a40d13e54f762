import { Writable } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { processIo, withIo } from '../../../src/cli/io.js';
import { localTime } from '../../../src/core/contract/time.js';
import { printTroubles } from '../../../src/cli/output/print-troubles.js';
import { causeList } from '../../../src/dashboard/pages/trouble-list.js';
import { navigation } from '../../../src/dashboard/pages/layout.js';
import type { Page } from '../../../src/dashboard/pages/elements.js';
import { createFormat } from '../../../src/dashboard/text/format.js';
import { TEXTS } from '../../../src/dashboard/text/language.js';
import type { Issue } from '../../../src/core/domain/issue.js';
import { groupOf, type SharedIssue } from '../../../src/core/domain/issue-group.js';
import { type Language, LANGUAGES } from '../../../src/core/domain/names.js';
import { NOTIFIED_TROUBLES } from '../../../src/core/domain/notice.js';
import { observe } from '../../../src/features/notices/compose-notice.js';
import { causesOf } from '../../../src/features/look/causes.js';
import { findTroubles, possibleTroubles } from '../../../src/core/domain/trouble/find-troubles.js';
import {
  describeTrouble,
  PLAIN_WORDS,
  TROUBLE_TEXTS,
} from '../../../src/features/troubles/describe-trouble.js';
import { type Trouble, TROUBLE_KINDS, type TroubleKind } from '../../../src/core/domain/trouble/trouble.js';
import { EVERYTHING_WRONG, FOREIGN_WORDS, NOW, SECRET_KEY } from './sample-facts.js';

const KINDS = Object.keys(TROUBLE_KINDS) as TroubleKind[];
const ALL = EVERYTHING_WRONG.flatMap(findTroubles);
const troublesOf = (kind: TroubleKind) => ALL.filter((one) => one.kind === kind);

const page = (language: Language): Page => ({
  language,
  languages: [language],
  texts: TEXTS[language],
  format: createFormat(language, 'Asia/Jakarta'),
  path: '/',
  formToken: 'token',
  loggedIn: false,
  mayAct: true,
  requireReason: false,
  version: '1',
  runbookUrl: 'https://docs.example/runbook',
  holder: 'test',
  entities: ['companies', 'vacancies'],
  where: '',
  leftOpen: [],
  navigation,
});

it('without an address of a runbook, the page has the command that prints its section', async () => {
  const own = String(await causeList({ ...page('en'), runbookUrl: null }, causesOf(troublesOf('held')), NOW));
  expect(own).toContain('placement-sync help runbook held');
  expect(own).not.toContain('class="runbook"');
});

/** What a reader of the page sees. */
async function shown(language: Language, troubles: readonly Trouble[]): Promise<string> {
  const markup = String(await causeList(page(language), causesOf(troubles), NOW));
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');
}

const ZONE = 'Asia/Jakarta';
const PRINTED_WORDS = { ...PLAIN_WORDS, when: (at: Date) => `at ${localTime(at, ZONE)}` };

/** What run and status print, line by line. */
async function printed(troubles: readonly Trouble[]): Promise<string[]> {
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  await withIo({ ...processIo(new AbortController().signal), stdout }, () =>
    Promise.resolve(printTroubles(troubles, ZONE)),
  );
  return text.trimEnd().split('\n');
}

describe.each(KINDS)('%s', (kind) => {
  const troubles = troublesOf(kind);

  it('has texts in every language, each its own', () => {
    expect(troubles).not.toEqual([]);
    for (const trouble of troubles) {
      const texts = LANGUAGES.map((language) => describeTrouble(trouble, language, PLAIN_WORDS));
      for (const { title, sentence, hint } of texts) {
        for (const text of [title, sentence, hint]) expect(text).toMatch(/\S/);
        for (const text of [sentence, hint]) expect(text, 'whole sentences').toMatch(/[.]$/);
      }
      const [english, indonesian] = texts;
      expect(indonesian?.sentence).not.toBe(english?.sentence);
      expect(indonesian?.hint).not.toBe(english?.hint);
    }
  });

  it.each(LANGUAGES)('is shown by the dashboard in: %s', async (language) => {
    const words = { ...PLAIN_WORDS, entity: () => '', area: () => '' };
    for (const trouble of troubles) {
      const text = await shown(language, [trouble]);
      // Names stand before the colon, or nowhere.
      const { title, hint } = describeTrouble(trouble, language, words);
      expect(text).toContain(title.replace(/^: /, ''));
      expect(text).toContain(hint);
      for (const { message, code } of 'reasons' in trouble ? trouble.reasons : []) {
        expect(text).toContain(message);
        if (language === 'id' && kind !== 'rejected')
          expect(text).toContain(TEXTS.id.issue(message, code as Issue['code']));
      }
      if (trouble.kind === 'failed' || trouble.kind === 'run-failed') expect(text).toContain(trouble.message);
    }
  });

  it('is printed by run and status, with what others said and the records', async () => {
    for (const trouble of troubles) {
      const text = (await printed([trouble])).join('\n');
      const { title, sentence, hint } = describeTrouble(trouble, 'en', PRINTED_WORDS);
      for (const part of [title, sentence, hint]) expect(text).toContain(part);
      for (const key of trouble.sampleKeys) expect(text).toContain(key);
    }
  });
});

test('no text of ours takes over keys, or words of the platform or a database', () => {
  for (const trouble of ALL)
    for (const language of LANGUAGES) {
      const text = JSON.stringify(describeTrouble(trouble, language, PLAIN_WORDS));
      expect(text).not.toContain(FOREIGN_WORDS);
      expect(text).not.toContain(SECRET_KEY);
    }
});

test('notices say of every kind that is notified why it is so and what helps, from the same texts', () => {
  const observations = EVERYTHING_WRONG.flatMap((one) => observe(one)).filter(({ found }) => found !== null);
  const texts = EVERYTHING_WRONG.flatMap(possibleTroubles).map((one) =>
    describeTrouble(one, 'en', PLAIN_WORDS),
  );
  for (const trouble of NOTIFIED_TROUBLES) {
    const observed = observations.filter((one) => one.trouble === trouble);
    expect(observed, trouble).not.toEqual([]);
    for (const { found } of observed) {
      // Of two holds the sentences of both.
      const used = texts.filter(({ sentence }) => found?.reason.includes(sentence));
      expect(
        found?.reason.split(/(?<=\.) /).every((part) => used.some((one) => one.sentence.includes(part))),
      ).toBe(true);
      // What the webhook refuses no command of ours ends.
      if (trouble !== 'webhook-refused')
        expect(found?.help).toMatch(/placement-sync (approve|doctor|records|run|retry|status)/);
    }
    for (const language of LANGUAGES) {
      expect(TROUBLE_TEXTS[language].lasts[trouble]).toMatch(/\S/);
      expect(TROUBLE_TEXTS[language].over[trouble]).toMatch(/\S/);
    }
  }
  expect(JSON.stringify(observations)).not.toMatch(new RegExp(`${FOREIGN_WORDS}|${SECRET_KEY}`));
});

test('a source that is away is printed once for all its entities', async () => {
  const failed = (entity: 'companies' | 'vacancies', message: string): Trouble => ({
    kind: 'failed',
    subject: { entity },
    code: 'source-unavailable',
    count: null,
    sampleKeys: [],
    since: null,
    message,
    hint: null,
  });
  const titles = async (...troubles: Trouble[]) =>
    (await printed(troubles)).filter((line) => line.includes('could not read it'));
  expect(await titles(failed('companies', 'away'), failed('vacancies', 'away'))).toEqual([
    expect.stringContaining('companies, vacancies: the last run could not read it'),
  ]);
  expect(await titles(failed('companies', 'away'), failed('vacancies', 'elsewhere'))).toHaveLength(2);
});

const group = (issue: SharedIssue, count: number, key: string) =>
  groupOf('companies', 'invalid', issue, { count, sampleKeys: [key] });

test('reasons are printed with their numbers and keys, and commands as a shell takes them', async () => {
  const trouble: Trouble = {
    kind: 'rejected',
    subject: { entity: 'companies' },
    count: 1_234,
    sampleKeys: ["it's"],
    since: null,
    message: null,
    hint: null,
    reasons: [
      group({ field: null, code: 'refused', message: 'Too early.' }, 1_233, "it's"),
      group({ field: 'name', code: 'required', message: 'is missing' }, 1, 'b'),
    ],
  };
  const [first, ...lines] = await printed([trouble]);
  expect(first).toContain('companies: 1,234 rejected.');
  expect(lines.slice(0, 2)).toEqual(["    Too early. (1,233: it's, …)", '    name is missing (1: b)']);
  expect(lines.slice(3)).toEqual([
    '      placement-sync retry --entity companies',
    "      placement-sync explain companies 'it'\\''s'",
  ]);
});

test('a reason in a terminal reads as a sentence, with a colon where it does not go on from the field', async () => {
  const [first] = troublesOf('invalid');
  const lookup = { code: 'X', todo: 'add' } as const;
  const reasons = [
    group({ field: 'name', code: 'required', message: 'is required' }, 1, 'c1'),
    group({ field: 'industry', code: 'unmapped', message: 'the code "X" is not in a.csv', lookup }, 1, 'c1'),
  ];
  const text = (await printed([{ ...first, reasons } as Trouble])).join('\n');
  expect(text).toContain('name is required: 1 company is invalid; return name from the query (c1)');
  expect(text).toContain('industry: code "X" has no id: 1 company is invalid (c1)');
});

test('a list of waiting records in a terminal says how many it leaves out', async () => {
  const [first] = troublesOf('blocked');
  const records = [{ key: 'v1', parentKey: 'c1', problem: 'parent-invalid' as const }];
  const of = async (count: number) => (await printed([{ ...first, count, records } as Trouble])).join('\n');
  expect(await of(5)).toMatch(/c1\n {4}… 4 more\n/);
  expect(await of(1)).not.toContain('more');
});
