import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followLookups } from '../../../src/cli/compose/follow-lookups.js';
import { loadConfig } from '../../../src/core/config/load.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import { configFolder, load, loadFrom, problemsOf, refusalOf, SMALL } from './config-folder.js';

const UUID = '898b0b80-ff91-4a11-b8b4-5a0e9c2f6a01';
const withLookups = (lookups: string) => `${SMALL}    lookups: ${lookups}\n`;

it('reads lookups by column, under the name that the configuration gives them', () => {
  const { entities } = loadFrom({
    'config.yaml': withLookups('{ industry: reference/industries.csv }'),
    'reference/industries.csv': `code,id\nit,${UUID}\n`,
  });
  const lookup = entities.get('companies')?.lookups.industry;
  expect(lookup?.file).toBe('reference/industries.csv');
  expect([...(lookup?.entries ?? [])]).toEqual([['it', UUID]]);
});

it('names a column that is none, one that takes no lookup, and a file that is missing, all at once', () => {
  const problems = problemsOf(() =>
    loadFrom({
      'config.yaml': withLookups('\n      industri: a.csv\n      phone: a.csv\n      region_id: b.csv'),
      'a.csv': `code,id\nit,${UUID}\n`,
    }),
  );
  expect(problems).toEqual([
    'config.yaml:14: entities.companies.lookups.industri: companies has no column of this name; did you mean "industry"?',
    expect.stringMatching(
      /^config.yaml:15: entities.companies.lookups.phone: this column takes no lookup; columns that do: .*industry/,
    ),
    expect.stringMatching(/^config.yaml:16: entities.companies.lookups.region_id: .*b.csv does not exist$/),
  ]);
});

it('hands on what is wrong inside a lookup', () => {
  const problems = problemsOf(() =>
    loadFrom({
      'config.yaml': withLookups('{ industry: a.csv }'),
      'a.csv': `code,id\nit,${UUID}\n IT ,${UUID}\n`,
    }),
  );
  expect(problems[0]).toContain('config.yaml:13: entities.companies.lookups.industry: ');
  expect(problems.join('\n')).toContain('a.csv');
});

/** A configuration in a folder of its own, which has links to a lookup in it and to one beside it. */
function loadInFolder(lookup: string) {
  const folder = configFolder({ 'a.csv': `code,id\nit,${UUID}\n` });
  const file = lookup === '/absolute' ? join(folder, 'a.csv') : lookup;
  mkdirSync(join(folder, 'conf'));
  symlinkSync('../a.csv', join(folder, 'conf/out.csv'));
  symlinkSync('..', join(folder, 'conf/up'));
  writeFileSync(join(folder, 'conf/b.csv'), `code,id\nit,${UUID}\n`);
  symlinkSync('b.csv', join(folder, 'conf/in.csv'));
  const yaml = withLookups(`{ industry: "${file}" }`).replace('companies.sql', '../companies.sql');
  writeFileSync(join(folder, 'conf/config.yaml'), yaml);
  const { entities } = loadConfig({ file: 'config.yaml', env: {}, cwd: join(folder, 'conf') });
  return { named: file, read: entities.get('companies')?.lookups.industry?.file };
}

it.each(['/absolute', 'in.csv', './b.csv', '../conf/b.csv'])('reads the lookup %s', (lookup) => {
  const { named, read } = loadInFolder(lookup);
  expect(read).toBe(named);
});

it.each(['../a.csv', 'out.csv', 'up/a.csv', 'nowhere/../../a.csv'])(
  'refuses the lookup %s, which leads out of the configuration’s folder',
  (lookup) => {
    expect(problemsOf(() => loadInFolder(lookup))).toEqual([
      expect.stringContaining(`${lookup} leads out of the configuration's folder`),
    ]);
  },
);

it('refuses a lookup that is a pipe, which would be waited for', () => {
  const folder = configFolder({ 'config.yaml': withLookups('{ industry: pipe }') });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(problemsOf(() => loadConfig({ file: 'config.yaml', env: {}, cwd: folder }))).toEqual([
    expect.stringMatching(/^config.yaml:13: entities.companies.lookups.industry: pipe is not a file$/),
  ]);
});

it('names ids that are no UUIDs, all at once, and - for a column that is required', () => {
  const files = {
    'industries.csv': `code,id\nit,mining\nhr,${UUID}\nlaw,court\n`,
    'cities.csv': 'code,id\nabroad,-\n',
  };
  const lookups = '{ industry: industries.csv, region_id: cities.csv }';
  expect(problemsOf(() => loadFrom({ ...files, 'config.yaml': withLookups(lookups) }))).toEqual([
    expect.stringMatching(/industries.csv: line 2: the id "mining" is not a UUID.*; line 4: the id "court"/),
    expect.stringMatching(/cities.csv: line 2: the id of "abroad" is -, but region_id is required/),
  ]);
});

it('takes from the configuration which columns are required', () => {
  const files = { 'a.csv': 'code,id\nx,-\n' };
  const yaml = (required: string) =>
    `${withLookups('{ region_id: a.csv, industry: a.csv }')}    required: ${required}\n`;
  expect(problemsOf(() => loadFrom({ ...files, 'config.yaml': yaml('[industry]') }))).toEqual([
    expect.stringContaining('industry is required'),
  ]);
  expect(loadFrom({ ...files, 'config.yaml': yaml('[]') }).entities.size).toBe(1);
});

it.each(['a.csv', 'companies.sql', 'config.yaml'])('refuses %s when it is not UTF-8', (name) => {
  const folder = configFolder({ 'config.yaml': withLookups('{ industry: a.csv }'), 'a.csv': 'code,id\n' });
  writeFileSync(join(folder, name), Buffer.from('code,id # caf\xe9\n', 'latin1'));
  const { message } = refusalOf(() => loadConfig({ file: 'config.yaml', env: {}, cwd: folder }));
  expect(message).toMatch(new RegExp(`${name} is not UTF-8; save it as UTF-8 \\(Excel: CSV UTF-8\\)`));
});

it('follows links inside the folder, as Kubernetes mounts configuration', () => {
  const folder = configFolder({
    '..data/config.yaml': withLookups('{ industry: industries.csv }'),
    '..data/industries.csv': `code,id\nit,${UUID}\n`,
  });
  symlinkSync('..data/industries.csv', join(folder, 'industries.csv'));
  symlinkSync('..data/config.yaml', join(folder, 'sync.yaml'));
  const { entities } = loadConfig({ file: 'sync.yaml', env: {}, cwd: folder });
  expect(entities.get('companies')?.lookups.industry?.entries.size).toBe(1);
});

it.each(['', '\n\n', ' ; ', '-- nothing\n/* nothing\n at all */'])('refuses the empty query %j', (sql) => {
  expect(problemsOf(() => loadFrom({ 'companies.sql': sql }))).toEqual([
    expect.stringMatching(
      /^config.yaml:12: entities.companies.query: .*companies.sql is empty; it must hold one SELECT$/,
    ),
  ]);
});

it('takes a comment for what it is in Postgres: no separator of Unicode ends it', () => {
  expect(problemsOf(() => loadFrom({ 'companies.sql': '-- \u2028 select 1' }))).toEqual([
    expect.stringContaining('is empty'),
  ]);
  expect(loadFrom({ 'companies.sql': 'table "--"' }).entities.size).toBe(1);
});

it('names a blank in a query that is none to Postgres, with its line', () => {
  expect(problemsOf(() => loadFrom({ 'companies.sql': 'select 1\nas\u00a0key' }))).toEqual([
    expect.stringMatching(/companies.sql has the character U\+00A0, which .* Postgres \(line 2\)$/),
  ]);
});

it('says that a query is a folder', () => {
  expect(problemsOf(() => load(SMALL.replace('companies.sql', '.')))).toEqual([
    expect.stringMatching(/^config.yaml:12: entities.companies.query: .* is a folder$/),
  ]);
});

it('a lookup knows that another entity of its file must fill the column, until that one need not', () => {
  const files = {
    'companies.sql': 'select 1',
    'vacancies.sql': 'select 1',
    'cities.csv': 'code,id\nSBY,\n',
    'own.csv': 'code,id\nSBY,\n',
  };
  const refused = (required: string, file: string) =>
    loadFrom({
      ...files,
      'config.yaml': `${SMALL}    lookups: { region_id: cities.csv }\n${required}  vacancies: { query: vacancies.sql, lookups: { region_id: ${file} } }\n`,
    }).entities.get('vacancies')?.lookups.region_id?.dashRefused;
  expect(refused('', './cities.csv')).toMatchObject({ entity: 'companies', column: 'region_id' });
  expect(refused('', 'own.csv')).toBeUndefined();
  expect(refused('    required: []\n', 'cities.csv')).toBeUndefined();
});

describe('a lookup that changes later', () => {
  const OTHER = '898b0b80-ff91-4a11-b8b4-5a0e9c2f6a02';
  const TWO = `${SMALL}    lookups: { industry: a.csv }
  vacancies: { query: companies.sql, lookups: { industry: ./a.csv, region_id: b.csv } }
`;

  /** Follows `a.csv` and `b.csv`. `whileWaiting` happens during each wait; nothing else takes time. */
  function follow(whileWaiting: () => void = () => undefined, yaml = TWO) {
    const cwd = configFolder({
      ...{ 'config.yaml': yaml, 'companies.sql': 'select 1 as key' },
      ...{ 'a.csv': `code,id\nit,${UUID}\n`, 'b.csv': `code,id\nx,${UUID}\n` },
    });
    const config = loadConfig({ file: 'config.yaml', env: {}, cwd });
    const events: SyncEvent[] = [];
    let waits = 0;
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      sleep: () => {
        waits += 1;
        whileWaiting();
        return Promise.resolve();
      },
    };
    const { signal } = new AbortController();
    const present = followLookups(config, { clock, signal, emit: (event) => void events.push(event) });
    const ids = async () =>
      (await present()).map(({ mapContext }) => [...(mapContext.lookups.industry?.entries.values() ?? [])]);
    const fingerprints = async () => (await present()).map(({ fingerprint }) => fingerprint);
    const file = (name: string) => join(cwd, name);
    return { file, events, ids, present, fingerprints, waits: () => waits };
  }

  it('is taken by all that use it, with their fingerprints; without a change nothing is read', async () => {
    const { file, events, ids, present, fingerprints, waits } = follow();
    const before = await fingerprints();
    expect(await present()).toBe(await present());
    expect(waits()).toBe(0);
    writeFileSync(file('a.csv'), `code,id\nit,${OTHER}\n`);
    expect(await ids()).toEqual([[OTHER], [OTHER]]);
    const after = await fingerprints();
    expect(after.filter((each) => before.includes(each))).toEqual([]);
    expect(events).toEqual([{ type: 'lookup-changed', file: 'a.csv', entities: ['companies', 'vacancies'] }]);
    // Back again: the same content is the same mapping.
    writeFileSync(file('a.csv'), `code,id\nit,${UUID}\n`);
    expect(await fingerprints()).toEqual(before);
  });

  it('is noticed though size and time stay, and a touch changes nothing', async () => {
    const { file, events, ids } = follow();
    utimesSync(file('a.csv'), 1, 1);
    expect(await ids()).toEqual([[UUID], [UUID]]);
    writeFileSync(file('a.csv'), `code,id\nit,${OTHER}\n`);
    utimesSync(file('a.csv'), 1, 1);
    expect(await ids()).toEqual([[OTHER], [OTHER]]);
    utimesSync(file('a.csv'), new Date(), new Date());
    await ids();
    expect(events.map(({ type }) => type)).toEqual(['lookup-changed']);
  });

  it('is not taken while somebody writes it, and as a whole after that', async () => {
    let lines = [`b,${OTHER}\n`, `c,${OTHER}\n`];
    const world = follow(() => {
      const [line, ...rest] = lines;
      lines = rest;
      if (line !== undefined) appendFileSync(world.file('a.csv'), line);
    });
    writeFileSync(world.file('a.csv'), `code,id\na,${OTHER}\n`);
    expect(await world.ids()).toEqual([
      [OTHER, OTHER, OTHER],
      [OTHER, OTHER, OTHER],
    ]);
    lines = Array.from({ length: 20 }, (_, index) => `d${index},${OTHER}\n`);
    appendFileSync(world.file('a.csv'), `d,${OTHER}\n`);
    expect((await world.ids())[0]).toHaveLength(3);
    expect(world.events.at(-1)).toMatchObject({
      type: 'warning',
      message: expect.stringContaining('a.csv: somebody is still writing there') as string,
    });
    lines = [];
    expect((await world.ids())[0]?.length).toBeGreaterThan(4);
  });

  it('is refused for all that use it when it is wrong for one, with one warning', async () => {
    const yaml = TWO.replace(
      'lookups: { industry: ./a.csv',
      'required: [industry], lookups: { industry: ./a.csv',
    );
    const { file, events, ids } = follow(undefined, yaml);
    writeFileSync(file('a.csv'), `code,id\nit,-\n`);
    const kept = [[UUID], [UUID]];
    expect(await ids()).toEqual(kept);
    expect(await ids()).toEqual(kept);
    const [warning, ...more] = events;
    expect(more).toEqual([]);
    expect(warning).toMatchObject({
      type: 'warning',
      message: expect.stringMatching(/goes on with what it read before\. .*a\.csv: line 2: /) as string,
    });
    // What it said before, so nothing is read in full; but it is good again, and that is said.
    writeFileSync(file('a.csv'), `code,id\nit,${UUID}\n`);
    expect(await ids()).toEqual(kept);
    expect(events.slice(1)).toEqual([{ type: 'lookup-changed', file: 'a.csv', entities: [] }]);
  });
});
