import Ajv from 'ajv';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startSandbox } from '../../src/features/sandbox/start-sandbox.js';
import type { RunReport } from '../../src/core/run/end.js';
import { runCli } from '../cli/run-cli.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { temporaryFolder } from '../temporary-folder.js';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const strict = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const named = (schema: object) => ({ type: 'object', additionalProperties: schema });

const service = strict(
  {
    image: text,
    build: text,
    user: text,
    command: texts,
    environment: named(text),
    secrets: texts,
    volumes: texts,
    tmpfs: texts,
    ports: texts,
    network_mode: text,
    restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
    stop_grace_period: { type: 'string', pattern: '^\\d+s$' },
    read_only: { const: true },
    cap_drop: { const: ['ALL'] },
    security_opt: texts,
    healthcheck: strict({
      test: texts,
      interval: text,
      retries: { type: 'integer' },
      disable: { const: true },
    }),
    depends_on: named(
      strict({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition']),
    ),
  },
  ['image', 'read_only', 'cap_drop', 'security_opt'],
);

/**
 * What deploy/compose.yaml uses of the Compose specification, spelt as there, and nothing else; its hardening is
 * required of every service. Docker Compose itself is not needed to find a misspelt key.
 */
const COMPOSE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  patternProperties: { '^x-': {} },
  properties: {
    name: text,
    services: named(service),
    volumes: named({ type: 'null' }),
    secrets: named(strict({ file: text }, ['file'])),
  },
  required: ['services'],
};

interface Service {
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: object;
}

const TEXT = readFileSync('deploy/compose.yaml', 'utf8');
const compose = read(TEXT);
const CONFIG = 'deploy/compose/placement-sync.yaml';

function read(text: string): Compose {
  return parse(text, { merge: true }) as Compose;
}

function problems(text: string): unknown {
  const ajv = new Ajv.default({ allErrors: true, allowUnionTypes: true });
  return ajv.validate(COMPOSE_SCHEMA, read(text)) ? [] : ajv.errors;
}

it('names nothing that Compose does not know, and hardens every service', () => {
  expect(problems(TEXT)).toEqual([]);
});

it.each([
  ['read_only', 'readonly'],
  ['service_healthy', 'healthy'],
  ['healthcheck', 'health_check'],
  ['cap_drop: [ALL]', 'cap_drop: [NET_RAW]'],
])('the check finds %s written as %s', (right, wrong) => {
  expect(TEXT).toContain(right);
  expect(problems(TEXT.replace(right, wrong))).not.toEqual([]);
});

it('gives every service the secrets that its variables name, and none that is not declared', () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(compose.services)) {
    const named = Object.entries(environment)
      .filter(([variable]) => variable.endsWith('_FILE'))
      .map(([, path]) => path.replace('/run/secrets/', ''));
    expect(named.sort(), name).toEqual([...secrets].sort());
    for (const secret of secrets) expect(compose.secrets[secret]?.file).toBe(`./compose/secrets/${secret}`);
  }
});

it('mounts files that are there, and never to be written', () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
  for (const mount of mounts) {
    const [source = '', , mode] = mount.split(':');
    if (source in compose.volumes) continue;
    expect(existsSync(join('deploy', source)), source).toBe(true);
    expect(mode, mount).toBe('ro');
  }
});

it('starts each service after what it needs, which says when it is ready', () => {
  for (const { depends_on = {} } of Object.values(compose.services))
    for (const [other, { condition }] of Object.entries(depends_on))
      if (condition === 'service_healthy')
        expect(compose.services[other]?.healthcheck?.test?.[0], other).toBe('CMD');
  expect(compose.services.worker?.depends_on?.migrate?.condition).toBe('service_completed_successfully');
});

it('what it mounts does what it promises: the sample is migrated, checked and sent', async () => {
  const database = await createTestDatabase();
  const sandbox = await startSandbox({
    clients: { jobs: { clientId: 'sandbox-client', secret: 'sandbox-secret' } },
  });
  onTestFinished(() => sandbox.close());
  await database.query(readFileSync('deploy/compose/sample.sql', 'utf8'));
  const env: Record<string, string> = {
    SOURCE_DATABASE_URL: database.url,
    JOSS_CLIENT_ID: 'sandbox-client',
    JOSS_CLIENT_SECRET: 'sandbox-secret',
    WEBHOOK_SECRET: 'sandbox-secret',
    ADMIN_TOKEN: 'a-token-of-the-operator',
  };
  const variables = Object.keys(compose.services.worker?.environment ?? {});
  expect(variables.sort()).toEqual(
    ['PLACEMENT_SYNC_CONFIG', ...Object.keys(env).map((name) => `${name}_FILE`)].sort(),
  );

  const config = join(process.cwd(), CONFIG);
  const check = await runCli(['config', 'check', '--config', config], { env });
  expect(check.exitCode, check.stderr).toBe(0);
  // The mounted folder, but for the address of the sandbox.
  const folder = temporaryFolder();
  cpSync('deploy/compose/queries', join(folder, 'queries'), { recursive: true });
  const text = readFileSync(config, 'utf8');
  expect(text).toContain('http://127.0.0.1:8484');
  const elsewhere = join(folder, 'placement-sync.yaml');
  writeFileSync(elsewhere, text.replace('http://127.0.0.1:8484', sandbox.url));
  const { exitCode, stdout, stderr } = await runCli(['run', '--migrate', '--json', '--config', elsewhere], {
    env,
  });
  expect(exitCode, stderr).toBe(0);
  const { entities } = JSON.parse(stdout) as RunReport;
  expect(entities).toMatchObject({ companies: { accepted: 2 }, vacancies: { accepted: 3 } });
});

it('shows the page of the sandbox to this machine alone', () => {
  const { command = [], ports = [] } = compose.services.sandbox ?? {};
  expect(command.join(' ')).toBe('sandbox --host 0.0.0.0 --port 8484');
  expect(ports).toContain('127.0.0.1:8484:8484');
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});
