import { describe, expect, it } from 'vitest';
import { load, loadFrom, problemsOf, SMALL } from './config-folder.js';

const withArea = (lines: string) => SMALL.replace('platform:\n  jobs:\n', `platform:\n  jobs:\n${lines}`);

describe('a value from the environment', () => {
  it('becomes a number, a boolean or null where the setting is one', () => {
    const yaml = withArea(
      '    concurrency: ${C}\n    allowHttp: ${H}\n    ratePerSecond: ${R}\n    timeout: ${T:-5s}\n',
    );
    const { jobs } = load(yaml, { C: ' 7 ', H: 'true', R: 'null' }).settings.platform;
    expect(jobs).toMatchObject({ concurrency: 7, allowHttp: true, ratePerSecond: null, timeoutMs: 5000 });
  });

  it('stays text where the setting is text, whatever it looks like', () => {
    const env = { ID: '0123', SECRET: 'true' };
    const yaml = SMALL.replace('partner', '${ID}').replace('secret-key', '${SECRET}');
    expect(load(yaml, env).settings.platform.jobs).toMatchObject({ clientId: '0123', clientSecret: 'true' });
  });

  it('that is empty leaves a setting with a default at its default, and is nothing for a required one', () => {
    const yaml = withArea('    concurrency: ${C:-}\n    ratePerSecond: ${C:-}\n');
    expect(load(yaml).settings.platform.jobs).toMatchObject({ concurrency: 4, ratePerSecond: null });
    expect(problemsOf(() => load(SMALL.replace('secret-key', '${S}'), { S: '' }))).toEqual([
      'config.yaml:9: platform.jobs.clientSecret: must not be empty',
    ]);
  });

  it.each([
    ['C', 'eight', 'platform.jobs.concurrency: must be a whole number from 1 to 1000'],
    ['H', 'yes', 'platform.jobs.allowHttp: must be true or false'],
  ])('is refused when %s=%s', (name, value, message) => {
    const yaml = withArea('    concurrency: ${C:-4}\n    allowHttp: ${H:-false}\n');
    expect(problemsOf(() => load(yaml, { [name]: value }))).toEqual([expect.stringContaining(message)]);
  });

  it('cannot change the structure', () => {
    const attack = 'x: } , allowHttp: true, evil: [ &a *a "\'#${PATH}';
    const { platform } = load(SMALL.replace('secret-key', '${SECRET}'), {
      SECRET: attack,
      PATH: '/bin',
    }).settings;
    expect(platform.jobs).toMatchObject({ clientSecret: attack, allowHttp: false });
    expect(platform).not.toHaveProperty('evil');
    const lines = 'x: }\n    allowHttp: true\n  evil: [';
    expect(problemsOf(() => load(SMALL.replace('secret-key', '${SECRET}'), { SECRET: lines }))).toEqual([
      expect.stringContaining('platform.jobs.clientSecret: must not contain control characters'),
    ]);
  });

  it('can come from the file that NAME_FILE names, seen from the configuration', () => {
    const yaml = SMALL.replace('secret-key', '${SECRET}');
    const config = loadFrom(
      { 'config.yaml': yaml, 'secrets/s': 'from a file\n' },
      { SECRET_FILE: 'secrets/s' },
    );
    expect(config.settings.platform.jobs?.clientSecret).toBe('from a file');
  });

  it('is told once, with the setting, when both NAME and NAME_FILE are set', () => {
    const yaml = SMALL.replace('secret-key', '${SECRET}');
    expect(problemsOf(() => load(yaml, { SECRET: 'a', SECRET_FILE: 'b' }))).toEqual([
      'config.yaml:9: platform.jobs.clientSecret: both SECRET and SECRET_FILE are set; unset one of them',
    ]);
  });

  it('may be quoted inside brackets', () => {
    const yaml = `${SMALL}webhook: { secrets: ["\${A}", "\${B:-b}"] }\n`;
    expect(load(yaml, { A: 'a' }).settings.webhook.secrets).toEqual(['a', 'b']);
  });
});

describe('masked', () => {
  it('shows the configuration in effect without secrets', () => {
    const yaml = `${SMALL.replace('secret-key', '${SECRET}')}webhook: { secrets: [alpha, beta] }
notify: { url: https://hooks.example/T0/secret, smtp: { url: "smtp://u:p@mail", from: a@b, to: [b@c] }, secret: beta }
http: { admin: { token: letmein } }
state: { url: "postgres://u@db/x?password=pw2&sslmode=require" }
`;
    const masked = load(yaml, { SECRET: 'hunter2' }).masked();
    expect(masked).toMatchObject({
      source: { url: 'postgres://reader:***@db.example/hr', statementTimeout: '10m' },
      state: { url: 'postgres://u@db/x?password=***&sslmode=require', leaseTtl: '30s' },
      platform: { jobs: { clientId: 'partner', clientSecret: '***', ratePerSecond: 10 } },
      webhook: { secrets: ['***', '***'], tolerance: '5m' },
      notify: { url: '***', smtp: '***' },
      http: { public: { port: 8080 }, admin: { token: '***' } },
      entities: { companies: { query: 'companies.sql', onVanished: 'report', lookups: {} } },
    });
    expect(JSON.stringify(masked)).not.toMatch(/hunter2|pw|letmein|alpha|beta|T0|smtp:\/\//);
    expect(masked).not.toHaveProperty(['platform', 'training']);
  });

  it('shows the address of the state database also when it is the source’s', () => {
    const url = 'postgres://reader:***@db.example/hr';
    expect(load(SMALL).masked()).toMatchObject({ source: { url }, state: { url, schema: 'placement_sync' } });
    expect(load(`${SMALL}state:\n`).masked()).toMatchObject({ state: { url, leaseTtl: '30s' } });
  });
});
