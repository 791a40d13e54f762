import { expect, test } from 'vitest';
import { ENGLISH_COVERAGE } from '../../src/dashboard/text/english-pages.js';
import { PROBE_CHECKS } from '../../src/domain/probe/checks.js';
import { openTestDashboard } from './open-test-dashboard.js';

const ENVIRONMENT = 'https://platform.example as one';

test('the page has every assumption, and what was observed of this environment and of no other', async () => {
  const { ask, state } = await openTestDashboard();
  await state.observations.save('https://elsewhere.example as one', [
    { id: 'envelope', result: 'differs', seen: 'of another platform' },
  ]);
  await state.observations.save(ENVIRONMENT, [
    { id: 'put-status', result: 'differs', seen: 'HTTP 202, <b>{data object}</b>' },
  ]);
  const { status, text } = await ask('/coverage');
  expect(status).toBe(200);
  for (const { id, assumption } of PROBE_CHECKS) expect(text, id).toContain(assumption);
  expect(text).toContain(ENVIRONMENT);
  expect(text).toContain('HTTP 202, &lt;b&gt;{data object}&lt;/b&gt;');
  expect(text).toContain('platform.replies.accepted');
  // Where nothing differs, nothing has to be set.
  expect(text).not.toContain('platform.signature');
  expect(text).not.toContain('of another platform');
  expect(text.match(/not observed yet/g)).toHaveLength(PROBE_CHECKS.length - 1);
});

test('in Indonesian the assumptions are Indonesian', async () => {
  const { ask } = await openTestDashboard();
  const { text } = await ask('/coverage?lang=id');
  expect(text).toContain('Setiap Put dari satu perusahaan memberi reference yang sama.');
  expect(text).toContain('belum diamati');
  expect(text).toContain('https://platform.example sebagai one');
  for (const { assumption } of PROBE_CHECKS) expect(text).not.toContain(assumption);
});

test('the assumptions in English are those of the checks', () => {
  expect(ENGLISH_COVERAGE.assumptions).toEqual(
    Object.fromEntries(PROBE_CHECKS.map(({ id, assumption }) => [id, assumption])),
  );
});
