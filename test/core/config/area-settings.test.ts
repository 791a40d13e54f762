import { describe, expect, it } from 'vitest';
import { areaSettings } from '../../../src/core/config/schema.js';
import { load, problemsOf, refusalOf, SMALL } from './config-folder.js';

describe('how the platform of an area speaks', () => {
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

  it('is as the interface says, without settings', () => {
    expect(jobs(SMALL)).toMatchObject({
      absent: 'omit',
      operations: {},
      signature: { profile: 'digest-lines' },
      proxy: null,
      ca: null,
      headers: {},
    });
  });

  it('follows the settings for both areas', () => {
    const yaml = withLines('', '  absent: null\n  signature: { profile: method-path-hex }\n');
    expect(jobs(yaml)).toMatchObject({
      absent: null,
      signature: { profile: 'method-path-hex' },
    });
  });

  it('follows the area where it has settings of its own, block by block', () => {
    const common =
      '  signature: { profile: method-path-hex }\n  absent: null\n  proxy: http://proxy.example:3128\n  headers: { X-Common: a }\n';
    const own =
      '    signature: { profile: digest-lines }\n    absent: omit\n    proxy: null\n    headers: { X-Own: b }\n';
    expect(jobs(withLines(own, common))).toMatchObject({
      signature: { profile: 'digest-lines' },
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
    ['signature: { profile: other }', 'signature.profile: must be one of digest-lines, method-path-hex'],
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

describe('notify', () => {
  const withNotify = (block: string) => `${SMALL}notify: { ${block} }\n`;
  const smtp = (url: string, from = 'a@b.c', to = 'c@d.e') =>
    withNotify(`smtp: { url: "${url}", from: "${from}", to: ["${to}"] }`);

  it('tells nobody by default, and everything to whom it tells', () => {
    expect(load(SMALL).settings.notify).toEqual({
      url: null,
      secret: null,
      smtp: null,
      staleAfterMs: 3_600_000,
      on: [
        'held',
        'auth-refused',
        'stale',
        'webhook-refused',
        'taken-down',
        'area-stopped',
        'failed',
        'rejected',
        'invalid',
        'waiting',
        'recovered',
      ],
    });
  });

  it.each(['https://hooks.example/T0/x?y=1', 'http://127.0.0.1:99/x', 'http://localhost/x'])(
    'may post to %s',
    (url) => {
      expect(load(withNotify(`url: "${url}", secret: null`)).settings.notify.url).toBe(url);
    },
  );

  it('posts unsigned on request, and to this machine; elsewhere it asks for a secret', () => {
    const unsigned = 'url: "https://hooks.example/x"';
    expect(problemsOf(() => load(withNotify(unsigned)))).toEqual([
      expect.stringMatching(/notify\.secret: is required with notify\.url; null: /),
    ]);
    expect(load(withNotify(`${unsigned}, secret: null`)).settings.notify.secret).toBeNull();
    expect(load(withNotify(`${unsigned}, secret: signs`)).settings.notify.secret).toBe('signs');
    expect(load(withNotify('url: "http://127.0.0.1:99/x"')).settings.notify.secret).toBeNull();
  });

  it('posts unencrypted to this machine only', () => {
    expect(problemsOf(() => load(withNotify('url: "http://hooks.example/hidden", secret: null')))).toEqual([
      expect.stringMatching(/notify\.url: must begin with https:\/\/ \(http:\/\/ only on this machine\)$/),
    ]);
  });

  it.each(['https://u:p@hooks.example', 'hooks.example', 'ftp://hooks.example', 'https://'])(
    'does not post to %s',
    (url) => {
      expect(problemsOf(() => load(withNotify(`url: "${url}", secret: null`)))).toEqual([
        expect.stringMatching(/notify\.url: must be an https:\/\/ address without user and password$/),
      ]);
    },
  );

  it.each(['smtp://mail.example', 'smtps://u:p%40ss@mail.example:465', 'smtp://[::1]:25/'])(
    'may mail by %s',
    (url) => {
      expect(load(smtp(url)).settings.notify.smtp?.url).toBe(url);
    },
  );

  it.each([
    'smtp://u@mail.example',
    'smtp://u:p%0Ax@mail.example',
    'smtp://mail.example?tls.rejectUnauthorized=false',
    'smtp://',
    'http://mail.example',
  ])('does not mail by %s', (url) => {
    const problems = problemsOf(() => load(smtp(url)));
    expect(problems).toEqual([
      expect.stringContaining('notify.smtp.url: must be an address such as smtp://'),
    ]);
    expect(problems.join('')).not.toContain('p%0Ax');
  });

  it.each([
    ['placement-sync <sync@example.com>', 'ops@example.com', []],
    ['sync@example.com', 'ops@example.com, thief@example.com', ['to']],
    ['sync@example.com\\r\\nBcc: thief@example.com', 'ops@example.com', ['from']],
    ['nobody', 'Ops <ops@example.com>', ['from', 'to']],
  ])('from %s to %s has problems in %j', (from, to, wrong) => {
    const text = smtp('smtp://mail.example', from, to);
    const problems = wrong.length === 0 ? (load(text), []) : problemsOf(() => load(text));
    expect(problems.map((problem) => /notify\.smtp\.(\w+)/.exec(problem)?.[1])).toEqual(wrong);
  });
});

describe('the file of a tenant outside of a fleet', () => {
  const TENANT = `${SMALL}tenant: { period: 30m }\n`;
  const CAUSE =
    'is required here, because the file has the block "tenant" and this command is not one of the fleet';
  const URL_IS_MISSING = `state.url: ${CAUSE}: without it the fleet has the ledger in a database of its own and not in the source; give the address of that database`;
  const SCHEMA_IS_MISSING = `state.schema: ${CAUSE}: without it the fleet derives another name; give the one that fleet list shows`;

  const problems = (yaml: string, env = {}) =>
    problemsOf(() => load(yaml, env)).map((line) => line.replace(/^config\.yaml:\d+: /, ''));

  it('names its ledger, because the fleet has it elsewhere than the defaults say', () => {
    expect(refusalOf(() => load(TENANT))).toMatchObject({ code: 'config-invalid', scope: 'usage' });
    expect(problems(TENANT)).toEqual([URL_IS_MISSING, SCHEMA_IS_MISSING]);
    expect(problems(`${TENANT}state:\n`)).toEqual([URL_IS_MISSING, SCHEMA_IS_MISSING]);
    expect(problems(`${TENANT}state: { schema: tenant_acme }\n`)).toEqual([URL_IS_MISSING]);
    expect(problems(`${TENANT}state: { url: 'postgres://fleet@db.example/fleet' }\n`)).toEqual([
      SCHEMA_IS_MISSING,
    ]);
  });

  it('is recognised by an empty block, too, and does not name its ledger by an empty variable', () => {
    expect(problems(`${SMALL}tenant: {}\n`)).toEqual([URL_IS_MISSING, SCHEMA_IS_MISSING]);
    const state = 'state: { url: "${STATE}", schema: tenant_acme }';
    expect(problems(`${TENANT}${state}\n`, { STATE: '' })).toEqual([URL_IS_MISSING]);
  });

  it('is a configuration as any other once it does', () => {
    const state = 'state: { url: "${STATE}", schema: tenant_acme }';
    const { settings } = load(`${TENANT}${state}\n`, { STATE: 'postgres://fleet@db.example/fleet' });
    expect(settings.state).toMatchObject({ url: 'postgres://fleet@db.example/fleet', schema: 'tenant_acme' });
    expect(load(SMALL).settings.state.schema).toBe('placement_sync');
  });
});
