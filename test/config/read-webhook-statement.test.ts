import { expect, it } from 'vitest';
import { load, loadFrom, problemsOf, SMALL } from './config-folder.js';

const withSql = (value: string) => `${SMALL}webhook:\n  sql: ${value}\n`;

it('takes the statement from the setting itself', () => {
  const { webhookStatement } = load(withSql('|\n    insert into candidate\n    values (:application_id)'));
  expect(webhookStatement).toBe('insert into candidate\nvalues (:application_id)\n');
});

it('takes the statement from a file beside the configuration', () => {
  const { webhookStatement } = loadFrom({
    'config.yaml': withSql('sql/take-over.sql'),
    'sql/take-over.sql': `select '\${NAME} $$' -- ?\n`,
  });
  expect(webhookStatement).toBe(`select '\${NAME} $$' -- ?\n`);
});

it('knows of no statement unless there is one', () => {
  expect(load(SMALL).webhookStatement).toBeNull();
  expect(load(withSql('null')).webhookStatement).toBeNull();
});

it('names the file that is missing', () => {
  expect(problemsOf(() => load(withSql('take-over.sql')))).toEqual([
    expect.stringMatching(/^config.yaml:14: webhook.sql: .*take-over.sql does not exist$/),
  ]);
});

it('tells everything that is wrong with the statement, with the line in its file', () => {
  const files = {
    'config.yaml': withSql('a.sql'),
    'a.sql': 'insert into candidate\nvalues (:emial, $1);\ncommit',
  };
  expect(problemsOf(() => loadFrom(files)).map((line) => line.replace(/\S*a\.sql/, 'a.sql'))).toEqual([
    'config.yaml:14: webhook.sql: a.sql has $1; write parameters by name (:email) (line 2)',
    expect.stringContaining('a.sql has the unknown parameter :emial; did you mean :email?'),
    'config.yaml:14: webhook.sql: a.sql has more than one statement; put them into one WITH, or into a function (line 3)',
  ]);
  expect(problemsOf(() => load(withSql('"delete from a where b = :nam"')))).toEqual([
    expect.stringContaining('webhook.sql: the statement has the unknown parameter :nam; did you mean :name?'),
  ]);
});

it('takes only a path that a request can have', () => {
  expect(problemsOf(() => load(`${SMALL}webhook:\n  path: /hooks?a=1\n`))).toEqual([
    expect.stringContaining('webhook.path: must not contain ? or #'),
  ]);
  for (const path of ['/lamaran-kerjä', 'hooks', '"/a b"']) {
    expect(problemsOf(() => load(`${SMALL}webhook:\n  path: ${path}\n`))).toEqual([
      expect.stringContaining('webhook.path: must begin with "/" and be plain characters'),
    ]);
  }
});
