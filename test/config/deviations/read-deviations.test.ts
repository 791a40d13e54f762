import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readFileSync } from 'node:fs';
import { deviationFile, DEVIATIONS_FILE } from '../../../src/config/deviations.js';
import { SyncError } from '../../../src/domain/errors.js';

const EXAMPLE = 'config/deviations.example.yaml';

function problemsOf(text: string): string[] {
  try {
    DEVIATIONS_FILE.parse(text, 'deviations.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(SyncError);
    expect((error as SyncError).scope).toBe('usage');
    expect((error as SyncError).hint).toContain(EXAMPLE);
    return (error as SyncError).message.split('\n').slice(1);
  }
  return [];
}

it.each([
  ['reply: {}', 'deviations.yaml:1:1: reply: there is no such setting'],
  [
    'replies:\n  create: 201',
    'deviations.yaml:2:3: replies.create: there is no such setting; did you mean "created"?',
  ],
  ['replies: { created: 404 }', 'replies.created: must be a whole number from 200 to 299'],
  ['replies: 201', 'deviations.yaml:1:1: replies: must be a block of settings'],
  [
    'reference: { form: numbr }',
    'reference.form: must be one of uuid, number, text, changing, none, not "numbr"',
  ],
  ['reference: { field: "a..b" }', 'reference.field: must be a field, or a dotted path such as links.id'],
  ['find: { hidden: about }', 'find.hidden: must be a list of dotted paths'],
  [
    'errors: { unknownId: { status: 100 } }',
    'errors.unknownId.status: must be a whole number from 200 to 599',
  ],
  ['requests: { prefix: gateway }', 'requests.prefix: must be empty, or begin with "/" and not end with it'],
  ['requests: { headers: { "a b": x } }', 'is not a name of a header'],
  [
    'operations: { putCompanies: {} }',
    'operations.putCompanies: there is no such setting; did you mean "putCompany"?',
  ],
  [
    'operations: { putCompany: { path: /api } }',
    'operations.putCompany.path: must begin with "/" and contain "{id}"',
  ],
  [
    'operations: { putCompany: { accepted: [200] } }',
    'operations.putCompany.accepted: there is no such setting',
  ],
  ['applications: { known: [1] }', 'applications.known[0]: must be'],
  ['training:\n  replies:\n    meta: 1', 'deviations.yaml:3:5: training.replies.meta: must be true or false'],
  ['training: { jobs: {} }', 'training.jobs: there is no such setting'],
  ['- replies', 'deviations.yaml:1:1: must be a block with replies, reference, '],
  ['replies:\n\t- x', 'deviations.yaml:2:1: a tab is used for indentation; use spaces'],
])('says of %j where it is wrong and what it must be', (text, message) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(message);
});

it.each(['', '{}', 'replies:', 'jobs:\n  replies:\n# all commented out\n'])(
  'takes %j as no deviation',
  (text) => {
    const { jobs, training } = DEVIATIONS_FILE.checked(DEVIATIONS_FILE.parse(text, 'deviations.yaml'));
    expect(jobs).toEqual(training);
    expect(jobs.replies).toEqual({
      created: 200,
      updated: 200,
      deleted: 200,
      body: 'whole',
      meta: true,
      version: 'v1',
      envelope: 'data',
      id: true,
    });
  },
);

it('gives an area its own block as a whole, and the common one where it has none', () => {
  const { jobs, training } = DEVIATIONS_FILE.checked({
    replies: { created: 201, meta: false },
    bodies: { merge: true },
    training: { replies: { updated: 202 } },
  });
  expect(jobs.replies).toMatchObject({ created: 201, updated: 200, meta: false });
  expect(training.replies).toMatchObject({ created: 200, updated: 202, meta: true });
  expect(training.bodies.merge).toBe(true);
});

it('says that a file is missing', () => {
  expect(() => DEVIATIONS_FILE.read('nowhere.yaml', tmpdir())).toThrow(
    'the deviations file nowhere.yaml does not exist',
  );
});

it('finds every setting in the example, which is valid', () => {
  expect(() => DEVIATIONS_FILE.checked(DEVIATIONS_FILE.read(EXAMPLE))).not.toThrow();
  const example = parseDocument(readFileSync(EXAMPLE, 'utf8')).toJS() as Record<string, object>;
  expect(Object.keys(example).sort()).toEqual(
    Object.keys(deviationFile.shape)
      .filter((name) => name !== 'jobs')
      .sort(),
  );
  for (const name of [
    'replies',
    'reference',
    'bodies',
    'find',
    'errors',
    'requests',
    'applications',
    'rate',
  ] as const) {
    const block = deviationFile.shape[name].unwrap();
    expect(Object.keys(example[name] ?? {}), name).toEqual(Object.keys(block.shape));
  }
});
