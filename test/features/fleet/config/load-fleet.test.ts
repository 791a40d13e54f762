import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fleetSchema } from '../../../../src/features/fleet/config/tenant-variables.js';
import { fleetLedgers } from '../../../../src/features/fleet/config/fleet-ledgers.js';
import { loadFleet } from '../../../../src/features/fleet/config/load-fleet.js';
import { configJsonSchema } from '../../../../src/cli/output/json-schema.js';
import { listSettings } from '../../../../docs/settings-list.js';
import { mentions } from '../../../../src/core/config/interpolate.js';
import { configFolder, problemsOf, refusalOf } from '../../../core/config/config-folder.js';

const SMALL = 'fleet:\n  database:\n    url: postgres://fleet:pw12345@db.example/fleet\n';
const EXAMPLE = 'config/fleet.example.yaml';
const FLEET_DATABASE_URL = 'postgres://fleet:pw12345@db.example/fleet';

function load(yaml: string, env = {}) {
  return loadFleet({ file: 'fleet.yaml', env, cwd: configFolder({ 'fleet.yaml': yaml }) });
}

describe('fleet.yaml', () => {
  it('needs only the address of its database; all else has a default', () => {
    const { settings } = load(SMALL);
    expect(settings.fleet).toEqual({
      database: { url: 'postgres://fleet:pw12345@db.example/fleet', poolMax: 4 },
      schema: 'placement_sync_fleet',
      ledgers: [],
      slots: 8,
      largeSlots: 2,
      periodMs: 600_000,
      rateLimits: {},
      sharedVariables: [],
      adapter: null,
      allowedNetworks: null,
    });
    expect(settings.http.admin).toMatchObject({ host: '127.0.0.1', port: 9090, token: null });
    expect(settings.http.public.port).toBe(8080);
    expect(settings.logging).toEqual({ level: 'info', format: 'json' });
  });

  it('is filled in from the environment, also numbers', () => {
    const yaml = 'fleet: { database: { url: "${FLEET_DATABASE_URL}" }, slots: "${SLOTS}" }';
    const { settings } = load(yaml, { FLEET_DATABASE_URL, SLOTS: '3' });
    expect(settings.fleet).toMatchObject({ database: { url: FLEET_DATABASE_URL }, slots: 3 });
  });

  it('names all its problems at once with their lines', () => {
    const yaml = `fleet:
  database:
    url: \${FLEET_DATABASE_URL}
    poolMx: 4
  schema: Fleet
  slots: 0
  period: 7s
  rateLimits: { partner: fast }
source: { url: postgres://db.example/hr }
loging: {}
`;
    expect(problemsOf(() => load(yaml))).toEqual([
      'fleet.yaml:3: fleet.database.url: the environment variable FLEET_DATABASE_URL is not set (nor FLEET_DATABASE_URL_FILE)',
      'fleet.yaml:4: fleet.database.poolMx: there is no such setting; did you mean "poolMax"?',
      'fleet.yaml:5: fleet.schema: must be a plain schema name: small letters, digits and _, at most 45 characters, not beginning with a digit or pg_',
      'fleet.yaml:6: fleet.slots: must be a whole number from 1 to 100',
      'fleet.yaml:7: fleet.period: must be at least 1m',
      'fleet.yaml:8: fleet.rateLimits.partner: must be a whole number, 1 or more',
      'fleet.yaml:9: source: there is no such setting; known here: fleet, http, logging',
      'fleet.yaml:10: loging: there is no such setting; did you mean "logging"?',
    ]);
  });

  it('has a schema whose name leaves room for that of the jobs', () => {
    const withSchema = (length: number) => () => load(`${SMALL}  schema: ${'a'.repeat(length)}\n`);
    expect(withSchema(45)().settings.fleet.schema).toHaveLength(45);
    expect(problemsOf(withSchema(46))).toEqual([
      expect.stringMatching(/^fleet\.yaml:4: fleet\.schema: must be .*, at most 45 characters, /),
    ]);
  });

  it('names its own example when it is empty, and in the hint', () => {
    const refusal = refusalOf(() => load('# nothing\n'));
    expect(refusal.message).toContain(`fleet.yaml:1: the configuration is empty; ${EXAMPLE} shows`);
    expect(refusal.hint).toContain(EXAMPLE);
  });

  it('is --config before PLACEMENT_SYNC_CONFIG before config/fleet.yaml', () => {
    const folder = configFolder({ 'config/fleet.yaml': SMALL, 'other.yaml': SMALL });
    const env = { PLACEMENT_SYNC_CONFIG: 'other.yaml' };
    const found = [
      loadFleet({ file: 'config/fleet.yaml', env, cwd: folder }),
      loadFleet({ env, cwd: folder }),
      loadFleet({ env: {}, cwd: folder }),
    ].map(({ file }) => relative(folder, file));
    expect(found).toEqual(['config/fleet.yaml', 'other.yaml', 'config/fleet.yaml']);
  });

  it('says when it is missing, and how to make one', () => {
    expect(refusalOf(() => loadFleet({ env: {}, cwd: configFolder() }))).toMatchObject({
      scope: 'usage',
      message: 'the configuration config/fleet.yaml does not exist',
      hint: expect.stringContaining(`Copy ${EXAMPLE} to config/fleet.yaml`) as string,
    });
  });

  it('is printed with every default and without its secrets, which are known to those who write texts', () => {
    const fleet = load(`${SMALL}http: { admin: { token: dashboard-token } }\n`);
    expect(fleet.masked()).toMatchObject({
      fleet: { database: { url: 'postgres://fleet:***@db.example/fleet', poolMax: 4 }, period: '10m' },
      http: { admin: { token: '***', port: 9090 } },
    });
    expect(JSON.stringify(fleet.masked())).not.toMatch(/pw12345|dashboard-token/);
    expect(fleet.secrets()).toEqual(['pw12345', 'dashboard-token']);
  });
});

describe('the databases of the ledgers', () => {
  const listed = (...urls: readonly string[]) =>
    fleetLedgers(load(`${SMALL}  ledgers: ${JSON.stringify(urls)}\n`).settings.fleet);
  const ONE = 'postgres://u:secret1@DB1.example/ledgers';
  const TWO = 'postgres://u:secret2@db2.example:6432/ledgers';
  const THREE = 'postgres://u:secret3@db3.example/other';
  const names = Array.from({ length: 600 }, (_, n) => `tenant-${n}`);

  it('have names without who logs in, and none is listed twice', () => {
    expect(listed(ONE, TWO).names).toEqual(['db1.example:5432/ledgers', 'db2.example:6432/ledgers']);
    expect(problemsOf(() => listed(ONE, ONE.replace('secret1', 'other')))).toEqual([
      'fleet.yaml:4: fleet.ledgers[1]: db1.example:5432/ledgers is in the list already',
    ]);
    const fleet = load(`${SMALL}  ledgers: ['${ONE}']\n`);
    expect(JSON.stringify(fleet.masked())).not.toContain('secret1');
    expect(fleet.secrets()).toContain('secret1');
  });

  it('get about as many tenants each, in any order; one more takes only its share, from all alike', () => {
    const [two, turned, three] = [listed(ONE, TWO), listed(TWO, ONE), listed(ONE, TWO, THREE)];
    const moved = names.filter((name) => three.place(name) !== two.place(name));
    expect(names.map(turned.place)).toEqual(names.map(two.place));
    for (const place of two.names)
      expect(names.filter((name) => two.place(name) === place).length).toBeGreaterThan(250);
    expect(new Set(moved.map(three.place))).toEqual(new Set(['db3.example:5432/other']));
    expect(moved.length).toBeGreaterThan(150);
    expect(moved.length).toBeLessThan(250);
    expect(new Set(names.map(listed().place))).toEqual(new Set(['fleet']));
  });

  it('are called by name, by database where that is clear, by place, and the fleet’s own by `fleet`', () => {
    const ledgers = listed(ONE, TWO, THREE);
    expect(
      ['db1.example:5432/ledgers', 'other', '2', 'fleet', 'db.example:5432/fleet'].map(ledgers.named),
    ).toEqual([
      'db1.example:5432/ledgers',
      'db3.example:5432/other',
      'db2.example:6432/ledgers',
      'fleet',
      'fleet',
    ]);
    for (const word of ['ledgers', '4', '0', 'db9.example:5432/x'])
      expect(() => ledgers.named(word)).toThrow(
        expect.objectContaining({
          code: 'usage',
          hint: 'Choose one of: db1.example:5432/ledgers (1), db2.example:6432/ledgers (2), db3.example:5432/other (3), fleet',
        }),
      );
    expect(listed('postgres://x:y@db.example:5432/fleet').names).toEqual(['fleet']);
  });

  it('are refused once they are not listed any more, never replaced by another', () => {
    expect(listed(ONE).urlOf('db1.example:5432/ledgers', 'acme')).toBe(ONE);
    expect(() => listed(ONE).urlOf('db2.example:6432/ledgers', 'acme')).toThrow(
      expect.objectContaining({
        message:
          'The ledger of the tenant acme is in the database db2.example:6432/ledgers, which is not in fleet.ledgers. Add its address there again.',
        hint: expect.stringContaining('placement-sync fleet move acme --to LEDGER') as string,
      }),
    );
  });
});

describe('a period', () => {
  it.each([
    ['1m', 60_000],
    ['15m', 900_000],
    ['60m', 3_600_000],
    ['0.5h', 1_800_000],
    ['7m', 420_000],
    ['90m', 5_400_000],
    ['90s', 90_000],
    ['24h', 86_400_000],
    ['1d', 86_400_000],
  ])('%s is one', (text, ms) => {
    expect(load(`${SMALL}  period: ${text}\n`).settings.fleet.periodMs).toBe(ms);
  });

  it.each(['30s', '31d', '0m', 'often'])('%s is none', (text) => {
    expect(problemsOf(() => load(`${SMALL}  period: ${text}\n`))).toEqual([
      expect.stringMatching(/^fleet\.yaml:4: fleet\.period: must be /),
    ]);
  });
});

describe('the example', () => {
  it('has nothing wrong in it, and shows the defaults', () => {
    const shown = loadFleet({ file: EXAMPLE, env: { FLEET_DATABASE_URL } }).settings;
    expect(shown.fleet.rateLimits).toEqual({ 'example-client': 50 });
    expect({ ...shown.fleet, rateLimits: {}, sharedVariables: [] }).toEqual(load(SMALL).settings.fleet);
    expect(shown.http).toEqual(load(SMALL).settings.http);
  });

  it('reads the very variables that the schema names', () => {
    const named = listSettings(fleetSchema).flatMap(({ env, path }) =>
      env !== null && path[0] === 'fleet' ? [env] : [],
    );
    const values = readFileSync(EXAMPLE, 'utf8').replaceAll(/#.*/g, '');
    expect(mentions(values).map(({ name }) => name)).toEqual(named);
  });

  it('fits the JSON schema that editors use, which refuses a misspelt name', () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(readFileSync('config/fleet.schema.json', 'utf8')) as object,
    );
    const data = parse(readFileSync(EXAMPLE, 'utf8')) as { fleet: object };
    expect([validate(data), validate.errors]).toEqual([true, null]);
    expect(validate({ ...data, fleet: { ...data.fleet, slotz: 1 } })).toBe(false);
    expect(configJsonSchema(fleetSchema, 'x')).toMatchObject({ title: 'x' });
  });
});

it('every setting of a fleet has a description', () => {
  const silent = listSettings(fleetSchema).filter(({ description }) => !/[.)]$/.test(description));
  expect(silent.map(({ path }) => join(...path))).toEqual([]);
});
