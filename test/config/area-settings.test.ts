import { describe, expect, it } from 'vitest';
import { areaSettings } from '../../src/config/schema.js';
import { load, problemsOf, SMALL } from './config-folder.js';

/** SMALL with more lines in the area's block, and in the platform's. */
const withLines = (area: string, platform = '') =>
  SMALL.replace('    clientSecret', `${area}    clientSecret`).replace(
    'platform:\n',
    `platform:\n${platform}`,
  );
const jobs = (yaml: string) => {
  const found = areaSettings(load(yaml).settings.platform, 'jobs');
  if (!found) throw new Error('jobs is not configured');
  return found;
};

describe('how the platform of an area speaks', () => {
  it('is as the interface says, without settings', () => {
    expect(jobs(SMALL)).toMatchObject({
      replies: { accepted: [200, 201], reference: 'reference', judge: [] },
      absent: 'omit',
      operations: {},
      signature: { profile: 'digest-lines', template: null, timestamp: 'seconds', signedPrefix: null },
      proxy: null,
      ca: null,
      headers: {},
    });
  });

  it('follows the settings for both areas', () => {
    const yaml = withLines(
      '',
      '  replies: { accepted: [200, 202] }\n  absent: null\n  signature: { signedPrefix: "" }\n',
    );
    expect(jobs(yaml)).toMatchObject({
      replies: { accepted: [200, 202], reference: 'reference' },
      absent: null,
      signature: { profile: 'digest-lines', signedPrefix: '' },
    });
  });

  it('follows the area where it has settings of its own, block by block', () => {
    const common =
      '  replies: { accepted: [200, 202] }\n  absent: null\n  proxy: http://proxy.example:3128\n  headers: { X-Common: a }\n';
    const own =
      '    replies: { reference: platform-id }\n    absent: omit\n    proxy: null\n    headers: { X-Own: b }\n';
    expect(jobs(withLines(own, common))).toMatchObject({
      replies: { accepted: [200, 201], reference: 'platform-id' },
      absent: 'omit',
      proxy: null,
      headers: { 'X-Own': 'b' },
    });
    expect(jobs(withLines(own, common)).headers).not.toHaveProperty('X-Common');
  });

  it.each([
    ['headers: { Signature: x }', 'headers.Signature: is set by the worker itself'],
    ['headers: { "X Y": x }', 'headers.X Y: is not a name of a header'],
    ['proxy: proxy.example:3128', 'proxy: must be an address such as http://proxy.example:3128'],
    ['absent: keep', 'absent: must be omit, or null, not "keep"'],
    ['absent: { website: null }', 'absent: must be omit, or null'],
    ['absent: true', 'absent: must be omit, or null'],
    ['replies: { accepted: [200, 404] }', 'replies.accepted[1]: must be a whole number from 200 to 299'],
    [
      'replies: { judge: [{ status: 400, as: fine }] }',
      'replies.judge[0].as: must be one of authentication-refused',
    ],
    ['signature: { signedPrefix: gateway }', 'signature.signedPrefix: must be empty, or begin with "/"'],
    ['signature: { timestamp: iso }', 'signature.timestamp: must be one of seconds, milliseconds'],
  ])('refuses %s', (line, message) => {
    expect(problemsOf(() => load(withLines('', `  ${line}\n`)))).toEqual([
      expect.stringContaining(`platform.${message}`),
    ]);
    expect(problemsOf(() => load(withLines(`    ${line}\n`)))).toEqual([
      expect.stringContaining(`platform.jobs.${message}`),
    ]);
  });

  it('never shows the value of a header, or a password of a proxy', () => {
    const { masked, secrets } = load(
      withLines('', '  proxy: http://u:hidden-word@p.example\n  headers: { X-Key: key-of-gateway }\n'),
    );
    expect(JSON.stringify(masked())).not.toMatch(/hidden-word|key-of-gateway/);
    expect(secrets()).toEqual(expect.arrayContaining(['hidden-word', 'key-of-gateway']));
  });
});
