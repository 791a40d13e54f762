import { describe, expect, onTestFinished, test } from 'vitest';
import { appliedAtApplication, flatApplication } from '../../../../src/features/webhook/contract/events.js';
import { readApplication } from '../../../../src/features/webhook/contract/read-application.js';
import { signatureProfile } from '../../../../src/core/contract/signature.js';
import { type RunningSandbox, startSandbox } from '../../../../src/features/sandbox/start-sandbox.js';
import type { SandboxOptions } from '../../../../src/features/sandbox/sandbox-options.js';
import { readFixture } from '../../../core/contract/fixtures.js';
import { openTestWebhook } from '../../webhook/open-test-webhook.js';
import { companyPath, send, vacancyPath } from '../signed-request.js';

const COMPANY = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const VACANCY = '2edd9893-f1a3-45dd-89d4-bc4dc9a071d1';
const SCHEMAS = { 'applied-at': appliedAtApplication, flat: flatApplication };

async function openSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Puts a vacancy into the sandbox; gives what the platform calls it. */
async function putVacancy(sandbox: RunningSandbox): Promise<string> {
  const company = readFixture('bodies/company-full.json') as object;
  const put = (path: string, body: object) => send(sandbox.url, { method: 'PUT', path, body });
  const { json } = await put(companyPath(COMPANY), company);
  const vacancy = readFixture('bodies/vacancy-full.json') as { employer: object };
  const employer = { ...vacancy.employer, id: json.data.reference };
  return (await put(vacancyPath(VACANCY), { ...vacancy, employer })).json.data.id as string;
}

describe('a job application of the sandbox', () => {
  test.each(['applied-at', 'flat'] as const)(
    'in layout %s is what the interface describes',
    async (layout) => {
      const { webhook, rows } = await openTestWebhook({ secrets: ['sandbox-secret'] });
      const sandbox = await openSandbox();
      const sent = await sandbox.sendApplication({ to: webhook.url, layout });
      expect(sent).toMatchObject({ status: 200, reply: '{}' });
      const payload: unknown = JSON.parse(sent.body);
      expect(SCHEMAS[layout].safeParse(payload).success).toBe(true);
      expect(readApplication(payload)).toMatchObject({
        layout,
        applicationId: sent.applicationId,
        jobId: sent.jobId,
      });
      const [row = {}] = await rows();
      expect(row).toMatchObject({ layout, request_id: sent.requestId, body: sent.body });
      // Everything that the layout has.
      const empty = Object.keys(row).filter((column) => row[column] === null);
      expect(empty).toEqual(
        layout === 'flat'
          ? ['vacancy_key', 'age', 'province', 'city', 'applied_at', 'body_bytes']
          : ['vacancy_key', 'birth_date', 'body_bytes'],
      );
    },
  );

  test('is for the vacancy as the sandbox answered to its Put', async () => {
    const { webhook, rows, vacancy } = await openTestWebhook({ secrets: ['sandbox-secret'] });
    const sandbox = await openSandbox();
    const remoteId = await putVacancy(sandbox);
    await vacancy('17', { remoteId });
    const sent = await sandbox.sendApplication({ to: webhook.url, vacancyId: VACANCY });
    expect(sent.jobId).toBe(remoteId);
    const title = (readFixture('bodies/vacancy-full.json') as { title: string }).title;
    expect(await rows()).toMatchObject([{ vacancy_key: '17', job_id: remoteId, job_title: title }]);
    // Another process knows the id without asking.
    const elsewhere = await openSandbox();
    expect((await elsewhere.sendApplication({ to: webhook.url, vacancyId: VACANCY })).jobId).toBe(remoteId);
  });

  test('is signed with the sandbox’s credentials, profile and clock', async () => {
    const clock = { now: () => Date.UTC(2026, 4, 5) };
    const { webhook, rows } = await openTestWebhook({
      secrets: ['s'],
      profile: signatureProfile('method-path-hex'),
      signedPath: '/public/path',
      clock,
    });
    const clients = { jobs: { clientId: 'c', secret: 's' } };
    const sandbox = await openSandbox({ clients, profile: 'method-path-hex', clock });
    const send = (signedPath: string) => sandbox.sendApplication({ to: webhook.url, signedPath });
    expect((await send('/other')).status).toBe(401);
    expect((await send('/public/path')).status).toBe(200);
    expect(await rows()).toMatchObject([{ applied_at: new Date('2026-05-05T00:00:00Z') }]);
  });

  test('is the same applicant when it is repeated or changed, and another one otherwise', async () => {
    const { webhook, outcomes } = await openTestWebhook({ secrets: ['sandbox-secret'] });
    const sandbox = await openSandbox();
    const first = await sandbox.sendApplication({ to: webhook.url, email: 'dian@example.com' });
    const applicationId = first.applicationId ?? '';
    await sandbox.sendApplication({ to: webhook.url, applicationId, body: first.body });
    await sandbox.sendApplication({ to: webhook.url, applicationId });
    await sandbox.sendApplication({ to: webhook.url });
    await sandbox.sendApplication({ to: webhook.url, applicationId, layout: 'cancelled' });
    await sandbox.sendApplication({ to: webhook.url, body: '{"event": "anything"}' });
    expect(outcomes()).toEqual(['stored', 'repeat', 'changed', 'stored', 'unrecognised', 'unrecognised']);
    expect(JSON.parse(first.body)).toMatchObject({ job_seeker: { email: 'dian@example.com' } });
  });

  test('that nobody takes is an error', async () => {
    const sandbox = await openSandbox();
    await expect(sandbox.sendApplication({ to: 'http://127.0.0.1:9/' })).rejects.toThrow('fetch failed');
  });
});
