import { describe, expect, it } from 'vitest';
import { load, problemsOf, SMALL } from './config-folder.js';

const withNotify = (block: string) => `${SMALL}notify: { ${block} }\n`;
const smtp = (url: string, from = 'a@b.c', to = 'c@d.e') =>
  withNotify(`smtp: { url: "${url}", from: "${from}", to: ["${to}"] }`);

describe('notify', () => {
  it('tells nobody by default, and everything to whom it tells', () => {
    expect(load(SMALL).settings.notify).toEqual({
      url: null,
      secret: null,
      smtp: null,
      staleAfterMs: 3_600_000,
      on: ['held', 'auth-refused', 'stale', 'recovered'],
    });
  });

  it.each(['https://hooks.example/T0/x?y=1', 'http://127.0.0.1:99/x', 'http://localhost/x'])(
    'may post to %s',
    (url) => {
      expect(load(withNotify(`url: "${url}"`)).settings.notify.url).toBe(url);
    },
  );

  it('posts unencrypted to this machine only', () => {
    expect(problemsOf(() => load(withNotify('url: "http://hooks.example/hidden"')))).toEqual([
      expect.stringMatching(/notify\.url: must begin with https:\/\/ \(http:\/\/ only on this machine\)$/),
    ]);
  });

  it.each(['https://u:p@hooks.example', 'hooks.example', 'ftp://hooks.example', 'https://'])(
    'does not post to %s',
    (url) => {
      expect(problemsOf(() => load(withNotify(`url: "${url}"`)))).toEqual([
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
