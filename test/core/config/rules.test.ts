import { describe, expect, it } from 'vitest';
import { configuredEntities } from '../../../src/cli/compose/configured-entities.js';
import { runSettings } from '../../../src/cli/compose/open-state.js';
import { isOperatorHost } from '../../../src/core/config/rules.js';
import { load, problemsOf, SMALL } from './config-folder.js';

describe('rules', () => {
  const at = (baseUrl: string, more = '') =>
    SMALL.replace('baseUrl: https://jobs.example', `baseUrl: ${baseUrl}${more}`);
  const ALLOWED = '\n    allowHttp: true';

  describe('the base address', () => {
    it.each([
      ['https://sandbox.joss.kemnaker.go.id', 'https://sandbox.joss.kemnaker.go.id'],
      ['https://Jobs.Example/', 'https://jobs.example'],
      ['https://gateway.example/joss//', 'https://gateway.example/joss'],
      ['http://localhost:4010', 'http://localhost:4010'],
      ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
      ['http://127.1', 'http://127.0.0.1'],
      ['"http://[::1]:4010"', 'http://[::1]:4010'],
    ])('may be %s', (written, expected) => {
      const { settings, warnings } = load(at(written));
      expect([settings.platform.jobs?.baseUrl, warnings]).toEqual([expected, []]);
    });

    it.each([
      'http://jobs.example',
      'http://127.0.0.1.example',
      'http://localhost.example',
      'http://10.0.0.1',
    ])('may not be %s without allowHttp, and is warned about with it', (written) => {
      expect(problemsOf(() => load(at(written)))).toEqual([
        'config.yaml:7: platform.jobs.baseUrl: must begin with https:// (http:// only on this machine, or with allowHttp: true)',
      ]);
      expect(load(at(written, ALLOWED)).warnings).toEqual([
        `platform.jobs.allowHttp is on: requests and personal data travel unencrypted to ${written.slice(7)}`,
      ]);
    });

    it.each([
      'http://kemnaker.go.id',
      'http://sandbox.joss.kemnaker.go.id',
      'http://SANDBOX.TOSS.KEMNAKER.GO.ID.',
      'http://joss.kemnaker.go.id:443/x',
    ])('is never %s, also with allowHttp', (written) => {
      expect(problemsOf(() => load(at(written, ALLOWED)))).toEqual([
        'config.yaml:7: platform.jobs.baseUrl: must begin with https://; the operator of the platform accepts nothing else',
      ]);
    });

    it.each(['jobs.example', 'ftp://jobs.example', 'https://u:p@jobs.example', 'https://jobs.example?a=1'])(
      'is not %s',
      (written) => {
        expect(problemsOf(() => load(at(written)))).toEqual([
          'config.yaml:7: platform.jobs.baseUrl: must be an address such as https://sandbox.joss.kemnaker.go.id, without user, password, "?" or "#"',
        ]);
      },
    );

    it('takes an address to listen on in brackets too', () => {
      const { settings } = load(`${SMALL}\nhttp: { public: { host: '[::]' }, admin: { host: '::1' } }`);
      expect([settings.http.public.host, settings.http.admin.host]).toEqual(['::', '::1']);
    });

    it('knows hosts by whole names', () => {
      expect(isOperatorHost('notkemnaker.go.id')).toBe(false);
      expect(isOperatorHost('kemnaker.go.id.evil.example')).toBe(false);
    });
  });

  describe('entities', () => {
    const entities = (block: string) => SMALL.slice(0, SMALL.indexOf('entities:')) + block;

    it.each([
      ['entities: {}', 'entities: configures no entity, so there is nothing to do; begin with companies'],
      ['entities:', 'entities: has no value; it must be a block of settings'],
      ['', 'entities: is required: What is kept in step.'],
      [
        'entities: { vacancies: { query: companies.sql } }',
        'entities.vacancies: needs the entity companies; configure entities.companies',
      ],
      [
        'entities: { institutions: { query: companies.sql } }',
        'platform.training: is required, because institutions go there: baseUrl, clientId and clientSecret',
      ],
      [
        'entities: { companies: { query: companies.sql }, application-statuses: { query: companies.sql, bad: 1 } }',
        'entities.application-statuses.bad: there is no such setting',
      ],
      [
        'entities: { companys: { query: x } }',
        'entities.companys: there is no such setting; did you mean "companies"?',
      ],
    ])('are refused: %s', (block, message) => {
      expect(problemsOf(() => load(entities(block)))).toEqual([expect.stringMatching(/^config.yaml:\d+: /)]);
      expect(problemsOf(() => load(entities(block)))[0]).toContain(`: ${message}`);
    });

    it.each([
      [
        'onVanished: delete',
        'onVanished: "delete" needs the operation: set platform.operations.deleteCompany to { enabled: true }',
      ],
      ['onVanished: close', 'onVanished: must be one of report, ignore, delete, not "close"'],
      ['refreshAfter: often', 'refreshAfter: must be a duration such as 500ms, 30s, 10m, 6h or 7d'],
      ['extraFields: { a: [b] }', 'extraFields.a: must be a column'],
      [
        'extraFields: { region.extra: b }',
        'extraFields.region.extra: "region" is a field of the interface; fill it with its own columns (docs/reference/columns.md)',
      ],
      [
        'extraFields: { a: a, a.b: b }',
        'extraFields.a.b: lies within the extra field "a"; keep one of the two',
      ],
      ['extraFields: { __proto__x: b }', 'extraFields.__proto__x: must be the name of a field'],
      [
        'extraFields: { a: phone }',
        'extraFields.a: the column "phone" already fills another field; return the value a second time under another name',
      ],
      ['required: [nmae]', 'required[0]: companies has no column "nmae"; did you mean "name"?'],
      ['closedStatus: closed', 'closedStatus: there is no such setting'],
    ])('do not take %s for companies', (setting, message) => {
      const problems = problemsOf(() => load(`${SMALL}    ${setting}\n`));
      expect(
        problems.some((problem) => problem.startsWith(`config.yaml:13: entities.companies.${message}`)),
      ).toBe(true);
    });

    it('may close vacancies, and delete once the operations are named and no child is left behind', () => {
      const vacancies = (policy: string) => `  vacancies: { query: companies.sql, onVanished: ${policy} }\n`;
      expect(load(SMALL + vacancies('close')).entities.get('vacancies')).toMatchObject({
        onVanished: 'close',
      });
      const deleting = (policy: string) =>
        SMALL.replace(
          'platform:\n',
          'platform:\n  operations: { deleteCompany: { enabled: true }, deleteVacancy: { path: "/v/{id}" } }\n',
        ) + `    onVanished: delete\n${vacancies(policy)}`;
      expect(problemsOf(() => load(deleting('report')))).toEqual([
        expect.stringContaining('"delete" needs entities.vacancies.onVanished to be "close" or "delete"'),
      ]);
      expect(load(deleting('delete')).entities.get('companies')).toMatchObject({ onVanished: 'delete' });
    });

    it('may spell out what is off anyway', () => {
      const yaml = `${SMALL}    onVanished: ignore\n    refreshAfter: null\n    extraFields: {}\n    required: []\n`;
      expect(load(yaml).entities.get('companies')).toMatchObject({ onVanished: 'ignore', required: [] });
    });
  });

  describe('the signature and the operations', () => {
    const platform = (lines: string) => SMALL.replace('platform:\n', `platform:\n${lines}`);

    it('is a profile', () => {
      const { settings } = load(platform('  signature: { profile: method-path-hex }\n'));
      expect(settings.platform.signature).toEqual({ profile: 'method-path-hex' });
    });

    it.each([
      [
        'replies: { accepted: [200, 202], judge: [] }',
        ['platform.replies.accepted', 'platform.replies.judge'],
      ],
      ['signature: { hmac: sha512 }', ['platform.signature.hmac']],
      ['requestEncoding: gzip', ['platform.requestEncoding']],
      ['precondition: if-match', ['platform.precondition']],
      ['oauth: { clientId: a }', ['platform.oauth']],
      ['operations: { putCompany: { accepted: [204] } }', ['platform.operations.putCompany.accepted']],
    ])('says of %s of 1.x what takes its place', (line, paths) => {
      const problems = problemsOf(() => load(platform(`  ${line}\n`)));
      expect(problems).toEqual(
        paths.map(
          (path) =>
            expect.stringMatching(`config.yaml:6: ${path}: is gone since 2.0.0. In its place: `) as string,
        ),
      );
      expect(problems.join()).toMatch(/docs\/adapter\.md\): export default \{ (request|reply)\(/);
    });

    it.each(['replies: {}', 'replies: { other: 1 }', 'constructor: 1', 'signature: { toString: 1 }'])(
      'never lets %s pass without a word',
      (line) => {
        expect(problemsOf(() => load(platform(`  ${line}\n`)))).toHaveLength(1);
      },
    );

    it('says it of the block of an area and of webhooks too', () => {
      const area = SMALL.replace('  jobs:\n', '  jobs:\n    lenientHttp: true\n    precondition: if-match\n');
      expect(problemsOf(() => load(area)).map((problem) => problem.replace(/ In its place.*/, ''))).toEqual([
        expect.stringContaining('platform.jobs.lenientHttp: is gone since 2.0.0.'),
        expect.stringContaining('platform.jobs.precondition: is gone since 2.0.0.'),
      ]);
      expect(problemsOf(() => load(`${SMALL}webhook: { challenge: { method: GET } }\n`))).toEqual([
        expect.stringContaining('webhook(request, tools)'),
      ]);
    });

    it('overrides an operation that the platform lists without detail', () => {
      const override =
        '  operations: { deleteVacancy: { method: DELETE, path: "/v2/jobs/{id}", enabled: true } }\n';
      expect(load(platform(override)).settings.platform.operations).toEqual({
        deleteVacancy: { method: 'DELETE', path: '/v2/jobs/{id}', enabled: true },
      });
    });

    it('warns about another path of an operation that the platform specifies, and not about the same one', () => {
      const override = (path: string) =>
        load(platform(`  operations: { putCompany: { path: ${path} } }\n`)).warnings;
      expect(override('"/api/v2/employers/{id}"')).toEqual([
        'platform.operations.putCompany sends PUT /api/v2/employers/{id}; the platform specifies PUT /api/v1/employers/{id}/company',
      ]);
      expect(override('"/api/v1/employers/{id}/company"')).toEqual([]);
    });

    it.each([
      [
        'putCompany: { enabled: false }',
        'putCompany.enabled: must not be false while entities.companies is configured',
      ],
      [
        'deleteVacency: { enabled: true }',
        'deleteVacency: there is no such setting; did you mean "deleteVacancy"?',
      ],
      [
        'findTraining: { path: "/{id}/x/{id}" }',
        'findTraining.path: must begin with "/" and contain "{id}" once',
      ],
      ['findTraining: { path: /v2/trainings }', 'findTraining.path: must begin with "/" and contain "{id}"'],
      [
        'findTraining: { method: PIT }',
        'findTraining.method: must be one of GET, PUT, POST, PATCH, DELETE, not "PIT"',
      ],
    ])('refuses %s', (block, message) => {
      expect(problemsOf(() => load(platform(`  operations: { ${block} }\n`)))).toEqual([
        expect.stringContaining(`config.yaml:6: platform.operations.${message}`),
      ]);
    });
  });

  it('warns about the nil namespace, which partners would share', () => {
    const yaml = SMALL.replace(
      '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
      '00000000-0000-0000-0000-000000000000',
    );
    expect(load(yaml).warnings).toEqual([expect.stringContaining('ids.namespace is the nil UUID')]);
  });
});

describe('check absent', () => {
  const withAbsent = (setting: string, more = '') => `${SMALL}${more}    absent: ${setting}\n`;

  it.each([
    ['{ webiste: null }', 'absent.webiste: companies has no column "webiste"; did you mean "website"?'],
    [
      '{ name: null }',
      'absent.name: the field of this column is never absent; columns that may be absent: region_type',
    ],
    ['{ key: omit }', 'absent.key: the field of this column is never absent'],
    ['leave', 'absent: must be omit, null, or a block of column: omit or null'],
    ['{ website: clear }', 'absent: must be omit, null, or a block of column: omit or null'],
  ])('names %s with its line', (setting, message) => {
    expect(problemsOf(() => load(withAbsent(setting)))).toEqual([
      expect.stringContaining(`config.yaml:13: entities.companies.${message}`),
    ]);
  });

  it('names each column of a longer block at its own line', () => {
    const block = '\n      website: null\n      phon: null\n      addres: omit';
    expect(problemsOf(() => load(withAbsent(block)))).toEqual([
      'config.yaml:15: entities.companies.absent.phon: companies has no column "phon"; did you mean "phone"?',
      'config.yaml:16: entities.companies.absent.addres: companies has no column "addres"; did you mean "address"?',
    ]);
  });

  it.each(['omit', 'null', '~', '{ website: null, industry: omit }', '{ headcount: null }'])(
    'takes %s',
    (setting) => {
      expect(load(withAbsent(setting, '    extraFields: { size: headcount }\n')).entities.size).toBe(1);
    },
  );

  it('counts in the mapping fingerprint as far as it changes what is sent', () => {
    const fingerprint = (yaml: string) => configuredEntities(load(yaml))[0]?.fingerprint;
    const usual = fingerprint(SMALL);
    const whole = SMALL.replace('platform:\n', 'platform:\n  absent: null\n');
    const ofArea = SMALL.replace('clientId: partner\n', 'clientId: partner\n    absent: null\n');
    expect(fingerprint(withAbsent('omit'))).toBe(usual);
    expect(fingerprint(whole)).not.toBe(usual);
    expect(fingerprint(withAbsent('null'))).toBe(fingerprint(whole));
    expect(fingerprint(ofArea)).toBe(fingerprint(whole));
    expect(fingerprint(withAbsent('{ website: null }'))).not.toBe(fingerprint(whole));
    expect(fingerprint(withAbsent('{ website: null }'))).not.toBe(usual);
  });
});

describe('the retention of application statuses', () => {
  const statuses = (requireInbox: boolean) =>
    SMALL.replace('source:', 'state: { statusRetention: 730d }\nsource:') +
    `  application-statuses: { query: companies.sql, requireInbox: ${requireInbox} }\n`;

  it('is for ever where statuses need no inbox and nothing else is said', () => {
    const config = load(SMALL + `  application-statuses: { query: companies.sql, requireInbox: false }\n`);
    expect(runSettings(config).state.statusRetentionMs).toBeNull();
    expect(runSettings(load(SMALL)).state.statusRetentionMs).toBe(180 * 86_400_000);
  });

  it('needs the inbox, which keeps them from being sent again', () => {
    expect(load(statuses(true)).settings.state.statusRetentionMs).toBe(730 * 86_400_000);
    expect(problemsOf(() => load(statuses(false)))).toEqual([
      expect.stringContaining(
        'state.statusRetention: cannot be combined with entities.application-statuses.requireInbox: false',
      ),
    ]);
  });
});

describe('tokens of the page', () => {
  const admin = (lines: string) => `${SMALL}http: { admin: { ${lines} } }\n`;

  it('takes named tokens beside the one without a name, and shows none of them', () => {
    const { settings, masked, secrets } = load(
      admin('token: first-secret, tokens: [{ name: Rina, token: second-secret, role: act }]'),
    );
    expect(settings.http.admin.tokens).toEqual([{ name: 'Rina', token: 'second-secret', role: 'act' }]);
    expect(JSON.stringify(masked())).toContain('"name":"Rina"');
    expect(JSON.stringify(masked())).not.toMatch(/(first|second)-secret/);
    expect(secrets()).toEqual(expect.arrayContaining(['first-secret', 'second-secret']));
  });

  it.each([
    ['token: a-secret, tokens: [{ name: token, token: b-secret, role: look }]', 'must have different names'],
    ['token: a-secret, tokens: [{ name: b, token: a-secret, role: look }]', 'must have different tokens'],
    ['tokens: [{ name: b, token: b-secret, role: boss }]', 'must be one of look, act'],
  ])('refuses %s', (lines, message) => {
    expect(problemsOf(() => load(admin(lines))).join('\n')).toContain(message);
    expect(problemsOf(() => load(admin(lines))).join('\n')).not.toContain('-secret');
  });
});

describe('metrics on a port of their own', () => {
  const http = (lines: string) => load(`${SMALL}http: { ${lines} }\n`);

  it.each([
    ['', null],
    ['metrics: {}', { host: '127.0.0.1', port: 9091 }],
    ['metrics: { host: "[::]", port: 9464 }', { host: '::', port: 9464 }],
    ['admin: { port: 0 }, metrics: { port: 0 }', { host: '127.0.0.1', port: 0 }],
  ])('takes { %s }', (lines, metrics) => {
    expect(http(lines).settings.http.metrics).toEqual(metrics);
  });

  it.each([
    ['metrics: { port: 9090 }', 'http.metrics: must have another port than http.admin (9090)'],
    ['public: { port: 9091 }, metrics: {}', 'http.metrics: must have another port than http.public (9091)'],
    ['metrics: { port: 70000 }', 'http.metrics.port'],
    ['metrics: { token: a-long-text }', 'http.metrics'],
  ])('refuses { %s }', (lines, message) => {
    expect(problemsOf(() => http(lines)).join('\n')).toContain(message);
  });
});
