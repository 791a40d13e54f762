import { expect, it } from 'vitest';
import { causeOfOutage } from '../../../src/domain/area-condition.js';
import { settingOfRefusal } from '../../../src/domain/reply/judge-reply.js';

it.each([
  [
    'Not reached: The proxy http://p refused the connection (407): check HTTPS_PROXY (PROXY_REFUSED)',
    'The proxy is in the way',
  ],
  [
    'Not reached: the proxy https://p could not be reached: self-signed certificate (PROXY_UNREACHABLE)',
    'The proxy is in the way',
  ],
  ['Not reached: self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN)', 'platform.ca'],
  ['Not reached: getaddrinfo ENOTFOUND platform.example (ENOTFOUND)', 'platform.proxy'],
  ['No complete reply: socket hang up (ECONNRESET)', 'The platform seems to be down or unreachable.'],
  ['HTTP 503: a proxy is down', 'The platform seems to be down or unreachable.'],
  ['', 'The platform seems to be down or unreachable.'],
])('%j has a cause', (message, cause) => {
  expect(causeOfOutage(message)).toContain(cause);
});

it('what names no cause names no setting either', () => {
  expect(causeOfOutage('HTTP 503: a proxy is down')).not.toContain('platform.');
});

it.each([
  [405, 'PUT', 'platform.operations'],
  [405, 'PATCH', 'platform.operations'],
  [404, 'PUT', 'platform.operations'],
  [501, 'DELETE', 'platform.operations.putCompany'],
  [404, 'PUT', 'placement-sync retry'],
  [406, 'PUT', 'platform.headers'],
] as const)('%i to a %s may be about %s', (status, method, setting) => {
  expect(settingOfRefusal(status, { method, operation: 'putCompany' }, 'No.')).toContain(setting);
});

it.each([
  [404, 'PATCH'],
  [422, 'PUT'],
] as const)('%i to a %s is about the record', (status, method) => {
  expect(settingOfRefusal(status, { method }, 'The name is too short.')).toBeNull();
});

it.each([
  ['The signature is not valid. (INVALID_SIGNATURE)', 'as: authentication-refused'],
  ['Request-Timestamp must be a Unix time.', 'platform.signature'],
  ['email: must not be null', 'absent: { COLUMN: omit }'],
])('a refusal with the words %j names its setting', (words, setting) => {
  expect(settingOfRefusal(422, { method: 'PUT' }, words)).toContain(setting);
});

it('a slow reply names the timeout, and one that is too large is no outage', () => {
  const slow = causeOfOutage('No complete reply: no complete reply within 1 s (ETIMEDOUT)');
  expect(slow).toContain('platform.jobs.timeout');
  const large = causeOfOutage('No complete reply: the reply exceeds 16 MiB (ERR_REPLY_TOO_LARGE)');
  expect(large).toMatch(/^The platform answers/);
});
