import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { configFolder, load, loadFrom, problemsOf, SMALL } from './config-folder.js';

const common = (...lines: string[]) =>
  SMALL.replace('platform:\n', `platform:\n${lines.map((line) => `  ${line}\n`).join('')}`);
const own = (...lines: string[]) =>
  SMALL.replace('    clientSecret', `${lines.map((line) => `    ${line}\n`).join('')}    clientSecret`);
const first = makeAuthority('first').certificate;
const second = makeAuthority('second').certificate;

describe('certificates', () => {
  it('are read from a file beside the configuration, all of them, with text around them', () => {
    const files = {
      'config.yaml': common('ca: tls/ca.pem'),
      'tls/ca.pem': `# ours\r\n${first}\nsubject: x\n${second}`,
    };
    const folder = configFolder(files);
    const { transport } = loadConfig({ file: 'config.yaml', env: {}, cwd: folder });
    expect(transport.jobs).toEqual({
      proxy: null,
      certificates: [first.trim(), second.trim()],
      certificateFile: join(folder, 'tls/ca.pem'),
      inherited: [],
      clientCertificate: null,
      adapter: null,
    });
  });

  it('of NODE_EXTRA_CA_CERTS are still trusted beside them, and read only then', () => {
    const files = { 'config.yaml': common('ca: own.pem'), 'own.pem': first, 'extra.pem': second };
    const folder = configFolder(files);
    const inherited = (file: string) =>
      loadConfig({ file: 'config.yaml', env: { NODE_EXTRA_CA_CERTS: join(folder, file) }, cwd: folder })
        .transport.jobs?.inherited;
    expect(inherited('extra.pem')).toEqual([second.trim()]);
    expect(inherited('missing.pem')).toEqual([]);
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'extra.pem') };
    expect(load(SMALL, env).transport.jobs?.inherited).toEqual([]);
  });

  it('of an area replace the common ones, also by none', () => {
    const files = { 'a.pem': first, 'b.pem': second };
    const trusted = (area: string) =>
      loadFrom({ ...files, 'config.yaml': own(area).replace('platform:\n', 'platform:\n  ca: a.pem\n') })
        .transport.jobs?.certificates;
    expect(trusted('ca: b.pem')).toEqual([second.trim()]);
    expect(trusted('ca: null')).toEqual([]);
    expect(trusted('timeout: 5s')).toEqual([first.trim()]);
  });

  it.each([
    ['missing.pem', 'does not exist'],
    ['.', 'is a folder'],
    ['key.pem', 'has no certificate in PEM form (-----BEGIN CERTIFICATE-----)'],
    ['der.crt', 'has no certificate in PEM form (-----BEGIN CERTIFICATE-----)'],
    ['cut.pem', 'holds a certificate that cannot be read (number 2 of 2)'],
  ])('%s is a problem with its line', (file, message) => {
    const cut = first.replace(/\n[^\n]+\n-----END/, '\n-----END');
    const files = {
      'key.pem': '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
      'der.crt': '\u0000\u00ff binary',
      'cut.pem': first + cut,
    };
    expect(problemsOf(() => loadFrom({ ...files, 'config.yaml': common(`ca: ${file}`) }))).toEqual([
      expect.stringMatching(/^config\.yaml:6: platform\.ca: \//),
    ]);
    expect(problemsOf(() => loadFrom({ ...files, 'config.yaml': own(`ca: ${file}`) }))).toEqual([
      expect.stringContaining(message),
    ]);
  });
});

describe('the client certificate', () => {
  const authority = makeAuthority('clients');
  const [ours, other] = [authority.issue(), authority.issue()];
  const passphrase = 'a long passphrase';
  const encrypted = createPrivateKey(ours.key).export({
    ...{ type: 'pkcs8' as const, format: 'pem' as const },
    ...{ cipher: 'aes-256-cbc', passphrase },
  }) as string;
  const files = {
    'client.crt': `${ours.certificate}${authority.certificate}`,
    'client.key': ours.key,
    'other.key': other.key,
    'encrypted.key': encrypted,
    'both.pem': `${ours.key}\n${ours.certificate}`,
  };
  const block = (settings: string) => common(`clientCertificate: { ${settings} }`);

  it.each([
    ['cert: client.crt, key: client.key', null],
    ['cert: both.pem, key: both.pem', null],
    [`cert: client.crt, key: encrypted.key, passphrase: ${passphrase}`, passphrase],
  ])('{ %s } is read', (settings, expected) => {
    const { transport } = loadFrom({ ...files, 'config.yaml': block(settings) });
    expect(transport.jobs?.clientCertificate).toMatchObject({ passphrase: expected });
  });

  it.each([
    [
      'cert: client.crt, key: other.key',
      /other\.key is not the key of the first certificate in .*client\.crt/,
    ],
    ['cert: client.key, key: client.key', /client\.key has no certificate in PEM form/],
    ['cert: client.crt, key: client.crt', /client\.crt has no private key in PEM form/],
    ['cert: client.crt, key: encrypted.key', /encrypted\.key is encrypted: set the passphrase/],
    ['cert: client.crt, key: encrypted.key, passphrase: wrong one', /cannot be read with this passphrase/],
    ['cert: client.crt, key: missing.key', /missing\.key does not exist/],
  ])('{ %s } is a problem', (settings, message) => {
    const problems = problemsOf(() => loadFrom({ ...files, 'config.yaml': block(settings) }));
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems.join()).not.toContain('wrong one');
  });

  it('needs https, and none of an area replaces the common one', () => {
    const here = block('cert: client.crt, key: client.key').replace(
      'https://jobs.example',
      'http://127.0.0.1:1',
    );
    expect(problemsOf(() => loadFrom({ ...files, 'config.yaml': here }))).toEqual([
      expect.stringContaining('must begin with https://, because a client certificate is shown only there'),
    ]);
    const none = here.replace('    clientSecret', '    clientCertificate: null\n    clientSecret');
    expect(loadFrom({ ...files, 'config.yaml': none }).transport.jobs?.clientCertificate).toBeNull();
  });
});

describe('the proxy of an area', () => {
  const proxyOf = (yaml: string, env = {}) => load(yaml, env).transport.jobs?.proxy;

  it('comes from its own block, the common one, or the environment', () => {
    const env = { HTTPS_PROXY: 'http://me:word@env.example:1', NO_PROXY: '.other.example' };
    expect(proxyOf(SMALL)).toBeNull();
    expect(proxyOf(SMALL, env)).toMatchObject({ address: 'http://env.example:1', namedBy: 'HTTPS_PROXY' });
    expect(proxyOf(SMALL, { ...env, NO_PROXY: 'jobs.example' })).toBeNull();
    const both = own('proxy: http://own.example:3').replace(
      'platform:\n',
      'platform:\n  proxy: http://common.example:2\n',
    );
    expect(proxyOf(common('proxy: http://common.example:2'), env)).toMatchObject({
      address: 'http://common.example:2',
      namedBy: 'platform.proxy',
    });
    expect(proxyOf(both, env)).toMatchObject({ namedBy: 'platform.jobs.proxy' });
    expect(proxyOf(both.replace('http://own.example:3', 'null'), env)).toMatchObject({
      namedBy: 'HTTPS_PROXY',
    });
  });

  it('is not used for a platform on this machine', () => {
    const here = SMALL.replace('https://jobs.example', 'http://127.0.0.1:4010');
    expect(proxyOf(here, { HTTP_PROXY: 'http://p', HTTPS_PROXY: 'http://p' })).toBeNull();
  });

  it('that the environment names wrongly is a problem of its area, which does not repeat the value', () => {
    const problems = problemsOf(() => load(SMALL, { HTTPS_PROXY: 'socks5://me:word@p.example' }));
    expect(problems).toEqual([
      'config.yaml:7: platform.jobs.baseUrl: goes through a proxy, because the environment has HTTPS_PROXY, which must be an address such as http://proxy.example:3128; correct it, or set platform.proxy',
    ]);
    expect(load(SMALL, { HTTPS_PROXY: 'socks5://p', NO_PROXY: '*' }).transport.jobs?.proxy).toBeNull();
  });
});

describe('headers', () => {
  it.each([
    ['{ X-Key: a, x-key: b }', 'headers: names the same header twice; upper and lower case are the same'],
    ['{ X-Key: "naïve" }', 'headers.X-Key: must be plain characters, because it is part of a header'],
    ['{ Proxy-Authorization: x }', 'headers.Proxy-Authorization: is set by the worker itself'],
    ['{ content-type: text/plain }', 'headers.content-type: is set by the worker itself'],
  ])('%s are a problem', (headers, message) => {
    expect(problemsOf(() => load(common(`headers: ${headers}`)))).toEqual([
      expect.stringContaining(`platform.${message}`),
    ]);
  });
});

describe('operations', () => {
  it('that send a body must not be a GET, in any block', () => {
    const message = 'must not be GET, because this operation sends a body';
    expect(problemsOf(() => load(common('operations: { putCompany: { method: GET } }')))).toEqual([
      `config.yaml:6: platform.operations.putCompany.method: ${message}`,
    ]);
    expect(problemsOf(() => load(own('operations: { putCompany: { method: GET } }')))).toEqual([
      expect.stringContaining(`platform.jobs.operations.putCompany.method: ${message}`),
    ]);
    expect(load(common('operations: { findCompany: { method: POST } }')).warnings).toHaveLength(1);
  });

  it('that are specified give a warning that names their block', () => {
    expect(load(own('operations: { putCompany: { method: POST } }')).warnings).toEqual([
      'platform.jobs.operations.putCompany sends POST /api/v1/employers/{id}/company; the platform specifies PUT /api/v1/employers/{id}/company',
    ]);
    expect(load(own('operations: { deleteCompany: { method: POST, path: "/x/{id}" } }')).warnings).toEqual(
      [],
    );
  });
});

describe('an adapter', () => {
  const files = { 'adapters/own.mjs': 'export default {};', 'other.mjs': 'export default {};' };

  it('is named beside the configuration, for all areas or for one', () => {
    const adapterOf = (yaml: string) => {
      const cwd = configFolder({ ...files, 'config.yaml': yaml });
      const { transport } = loadConfig({ file: 'config.yaml', env: {}, cwd });
      return transport.jobs?.adapter?.replace(`${cwd}/`, '');
    };
    const both = (area: string) =>
      own(area).replace('platform:\n', 'platform:\n  adapter: adapters/own.mjs\n');
    expect(adapterOf(common('adapter: adapters/own.mjs'))).toBe('adapters/own.mjs');
    expect(adapterOf(both('adapter: other.mjs'))).toBe('other.mjs');
    expect(adapterOf(both('adapter: null'))).toBeUndefined();
  });

  it('that is not there is a problem with its line', () => {
    expect(problemsOf(() => load(common('adapter: nowhere.mjs')))).toEqual([
      expect.stringMatching(/^config\.yaml:6: platform\.adapter: \/\S*nowhere\.mjs does not exist/),
    ]);
  });
});
