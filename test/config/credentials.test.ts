import { expect, it } from 'vitest';
import { configFolder, load, problemsOf, SMALL } from './config-folder.js';
import { loadConfig } from '../../src/config/load.js';

const LINE_FEED = 'look for a line feed at the end of its file or variable';

it.each(['"part ner"', '"partner\\n"', '"pärtner"', '"part\\tner"'])(
  'refuses the client id %s, which no header can carry, and says where to look',
  (value) => {
    expect(problemsOf(() => load(SMALL.replace('partner', value)))).toEqual([
      `config.yaml:8: platform.jobs.clientId: must be plain characters without blanks; ${LINE_FEED}`,
    ]);
  },
);

it('takes blanks inside of a secret, but no control characters', () => {
  const yaml = (value: string) => SMALL.replace('secret-key', value);
  expect(load(yaml('"a b ü"')).settings.platform.jobs?.clientSecret).toBe('a b ü');
  const [problem = ''] = problemsOf(() => load(yaml('"S3cret\\n"')));
  expect(problem).toBe(
    `config.yaml:9: platform.jobs.clientSecret: must not contain control characters; ${LINE_FEED}`,
  );
});

it('cuts one line feed of a file, and refuses a second', () => {
  const folder = configFolder({
    'config.yaml': SMALL.replace('secret-key', '${KEY}'),
    one: 'S3cret\n',
    two: 'S3cret\n\n',
  });
  const load = (KEY_FILE: string) => loadConfig({ file: 'config.yaml', env: { KEY_FILE }, cwd: folder });
  expect(load('one').settings.platform.jobs?.clientSecret).toBe('S3cret');
  expect(problemsOf(() => load('two'))).toEqual([expect.stringContaining(LINE_FEED)]);
});

it('says of an empty client id only that', () => {
  expect(problemsOf(() => load(SMALL.replace('clientId: partner', 'clientId: ""')))).toEqual([
    'config.yaml:8: platform.jobs.clientId: must not be empty',
  ]);
});

it('refuses a signature prefix that no header can carry', () => {
  const template = '  signature: { template: { string: "{clientId}", prefix: "x\\n" } }\n';
  const yaml = SMALL.replace('platform:\n', `platform:\n${template}`);
  expect(problemsOf(() => load(yaml)).join()).toContain('prefix: must be plain characters');
});
