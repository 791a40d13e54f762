import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/core/config/load.js';
import { runCli } from '../cli/run-cli.js';
import {
  checkManifest,
  FLEET_OVERLAYS,
  KUBERNETES,
  type Manifest,
  OVERLAYS,
  podTemplate,
  readManifests,
} from './manifests.js';
import { temporaryFolder } from '../temporary-folder.js';

interface Kustomization {
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  readonly images?: readonly { readonly name: string; readonly newTag: string }[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly files?: readonly string[];
    readonly literals?: readonly string[];
  }[];
}

const CONFIG = `${KUBERNETES}/base/config/placement-sync.yaml`;
const FOLDERS = [
  'base',
  'components/monitoring',
  'fleet-base',
  'components/fleet-autoscaling',
  ...[...OVERLAYS, ...FLEET_OVERLAYS].map((overlay) => `overlays/${overlay}`),
];
const kustomization = (folder: string) =>
  parse(readFileSync(join(KUBERNETES, folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const generated = kustomization('base').configMapGenerator ?? [];
const literals = Object.fromEntries(
  generated.flatMap(({ literals = [] }) => literals.map((each) => each.split('=') as [string, string])),
);

describe.each(FOLDERS)('%s', (folder) => {
  it('holds nothing that Kubernetes does not know', () => {
    expect(readManifests(folder).flatMap(checkManifest)).toEqual([]);
  });

  it('lists all of its manifests', () => {
    const files = readdirSync(join(KUBERNETES, folder)).filter((name) => name.endsWith('.yaml'));
    const own = kustomization(folder).resources.filter((name) => !name.startsWith('../'));
    expect([...own, 'kustomization.yaml'].sort()).toEqual(files.sort());
  });
});

it.each([
  ['ServiceMonitor', 'scrapeTimeout', 'scrapeTimeOut'],
  ['PrometheusRule', 'annotations', 'anotations'],
])('the check finds a misspelt field of a %s', (kind, right, wrong) => {
  const manifests = readManifests('components/monitoring').filter((one) => one.kind === kind);
  const text = JSON.stringify(manifests);
  expect(text).toContain(right);
  const problems = (JSON.parse(text.replaceAll(right, wrong)) as Manifest[]).flatMap(checkManifest);
  expect(problems).not.toEqual([]);
});

it.each([
  ['a misspelt field of a container', 'readOnlyRootFilesystem', 'readOnlyRootFileSystem'],
  ['a misspelt field of a Job', 'activeDeadlineSeconds', 'activeDeadlineSecond'],
  ['a misspelt rule', 'onExitCodes', 'onExitCode'],
  ['a word that is none of the allowed', '"FailJob"', '"FailTheJob"'],
])('the check finds %s', (_what, right, wrong) => {
  const text = JSON.stringify(readManifests('overlays/cronjob'));
  expect(text).toContain(right);
  const problems = (JSON.parse(text.replace(right, wrong)) as Manifest[]).flatMap(checkManifest);
  expect(problems).not.toEqual([]);
});

describe.each(OVERLAYS)('pods of %s', (overlay) => {
  const { metadata, spec } = podTemplate(overlay);
  const [container] = spec.containers;
  const reference = podTemplate('long-running').spec;

  it('run without any privilege', () => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
    const own = readManifests('base').find(({ kind }) => kind === 'ServiceAccount');
    expect(own).toMatchObject({
      metadata: { name: spec.serviceAccountName },
      automountServiceAccountToken: false,
    });
  });

  it('ask for the disk that the log needs, and have an end of it', () => {
    expect(container.resources).toMatchObject({
      requests: { 'ephemeral-storage': expect.stringMatching(/\d/) as string },
      limits: { 'ephemeral-storage': expect.stringMatching(/\d/) as string },
    });
  });

  it('are those that the network policy is about', () => {
    expect(metadata.labels['app.kubernetes.io/name']).toBe('placement-sync');
  });

  it('differ from the other variants in what they are for only', () => {
    expect(container.envFrom).toEqual(reference.containers[0].envFrom);
    const shared = ({ name }: { readonly name?: unknown }) => name !== 'owner';
    expect(container.volumeMounts.filter(shared)).toEqual(reference.containers[0].volumeMounts);
    expect(container.resources).toEqual(reference.containers[0].resources);
    expect(spec.volumes.filter(shared)).toEqual(reference.volumes);
    expect(spec.securityContext).toEqual(reference.securityContext);
  });

  it('run the image that one component names for all, of this version', () => {
    expect(container.image).toBe(`placement-sync:${version}`);
    expect(kustomization(`overlays/${overlay}`).components).toContain('../../components/image');
    expect(kustomization('components/image').images).toEqual([{ name: 'placement-sync', newTag: version }]);
  });

  it('change tables only where that is what they are for', () => {
    const migrates = overlay === 'migrate-job';
    expect(container.args[0] === 'migrate').toBe(migrates);
    expect(container.args).not.toContain('--migrate');
    const owner = spec.volumes.some(({ secret }) => isSecret(secret, 'placement-sync-owner'));
    expect(owner, 'the role that owns the tables').toBe(migrates);
    expect(container.env).toEqual(
      migrates
        ? [
            {
              name: 'STATE_DATABASE_URL_FILE',
              value: '/run/secrets/placement-sync-owner/STATE_DATABASE_URL',
            },
          ]
        : undefined,
    );
  });

  it('mount what the base generates, and nothing else but the Secret', () => {
    const mounted = spec.volumes.flatMap(({ configMap }) =>
      configMap ? [(configMap as { name: string }).name] : [],
    );
    expect([...mounted, 'placement-sync-environment'].sort()).toEqual(
      generated.map(({ name }) => name).sort(),
    );
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name));
  });

  it('have time at SIGTERM to finish the requests under way', () => {
    const { platform } = loadMounted();
    const longest =
      Math.max(platform.jobs?.timeoutMs ?? Infinity, platform.training?.timeoutMs ?? Infinity) / 1000;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(longest + 15);
  });
});

describe('the configuration that the pods mount', () => {
  it('is valid, with every value of the Secret read from its file', () => {
    const { webhook, http } = loadMounted();
    expect(webhook.secrets).toHaveLength(1);
    expect(http.admin).toMatchObject({ host: '0.0.0.0', port: 9090 });
    expect(http.admin.token, 'others than the probes need it').not.toBeNull();
    expect(http.metrics).toEqual({ host: '0.0.0.0', port: 9091 });
  });

  it('passes `config check` with the Secret’s files in place of variables', async () => {
    const folder = temporaryFolder();
    const env: Record<string, string> = {};
    for (const [name, value] of Object.entries(secretValues())) {
      env[`${name}_FILE`] = join(folder, name);
      writeFileSync(join(folder, name), `${value}\n`);
    }
    const checked = await runCli(['config', 'check'], {
      env: { ...env, PLACEMENT_SYNC_CONFIG: join(process.cwd(), CONFIG) },
    });
    expect(checked.exitCode, checked.stderr).toBe(0);
    rmSync(join(folder, 'JOSS_CLIENT_SECRET'));
    expect(
      (await runCli(['config', 'check', '--config', join(process.cwd(), CONFIG)], { env })).exitCode,
    ).toBe(2);
  });

  it('asks for every variable that is set, and for no other', () => {
    const asked = readFileSync(CONFIG, 'utf8').matchAll(/\$\{([A-Z_]+)\}/g);
    const names = new Set([...asked].map(([, name]) => `${name}_FILE`));
    expect(Object.keys(literals).sort()).toEqual(['PLACEMENT_SYNC_CONFIG', ...names].sort());
    for (const [name, value] of Object.entries(literals))
      if (name !== 'PLACEMENT_SYNC_CONFIG')
        expect(value).toBe(`/run/secrets/placement-sync/${name.replace(/_FILE$/, '')}`);
  });

  it('is probed by its admin port: first whether it started, then whether it lives and is ready', () => {
    const [container] = podTemplate('long-running').spec.containers;
    const probe = (path: string) => ({ httpGet: { path, port: 'admin' } });
    expect(container).toMatchObject({
      startupProbe: { ...probe('/livez'), periodSeconds: 2, failureThreshold: 60 },
      livenessProbe: probe('/livez'),
      readinessProbe: probe('/readyz'),
    });
  });

  it('listens where the probes, the Service and the network policy look for it', () => {
    const { http } = loadMounted();
    const ports = podTemplate('long-running').spec.containers[0].ports ?? [];
    expect(ports).toEqual([
      { name: 'webhook', containerPort: http.public.port },
      { name: 'admin', containerPort: http.admin.port },
      { name: 'metrics', containerPort: http.metrics?.port },
    ]);
    const policy = readManifests('overlays/long-running').find(({ kind }) => kind === 'NetworkPolicy');
    const { ingress } = policy?.spec as { ingress: { ports: { port: number }[] }[] };
    expect(
      ingress.flatMap((rule) => rule.ports.map(({ port }) => port)),
      'nobody reaches the pages',
    ).toEqual([http.public.port, http.metrics?.port]);
    expect(podTemplate('long-running').metadata).toMatchObject({
      annotations: { 'prometheus.io/port': String(http.metrics?.port) },
    });
  });

  it('is mounted where PLACEMENT_SYNC_CONFIG looks for it, its folders beside each other', () => {
    const { volumeMounts } = podTemplate('cronjob').spec.containers[0];
    const place = (name: string) => volumeMounts.find((mount) => mount.name === name)?.mountPath;
    const folder = dirname(literals.PLACEMENT_SYNC_CONFIG ?? '');
    expect(place('config')).toBe(literals.PLACEMENT_SYNC_CONFIG);
    expect(volumeMounts.find(({ name }) => name === 'config')?.subPath).toBe('placement-sync.yaml');
    expect(place('queries')).toBe(join(folder, 'queries'));
    expect(place('reference')).toBe(join(folder, 'reference'));
    expect(place('secrets')).toBe('/run/secrets/placement-sync');
  });

  it.each(['queries', 'reference'])('has the %s of config/, and all of them in the ConfigMap', (folder) => {
    const files = readdirSync(`${KUBERNETES}/base/config/${folder}`);
    expect(generated.find(({ name }) => name === `placement-sync-${folder}`)?.files).toEqual(
      files.map((file) => `config/${folder}/${file}`),
    );
    for (const file of files)
      expect(readFileSync(`${KUBERNETES}/base/config/${folder}/${file}`, 'utf8'), file).toBe(
        readFileSync(`config/${folder}/${file}`, 'utf8'),
      );
  });
});

describe('Jobs', () => {
  const jobs = [
    ...readManifests('overlays/resync-job'),
    ...readManifests('overlays/cronjob').map(({ spec }) => (spec as { jobTemplate: Manifest }).jobTemplate),
  ].map(({ spec }) => spec as JobSpec);

  it.each(['resync', 'CronJob'].map((name, index) => [name, jobs[index]] as const))(
    '%s: what trying again cannot mend fails the Job, a drained node does not count',
    (_name, job) => {
      const rules = job?.podFailurePolicy.rules ?? [];
      expect(rules[0]).toMatchObject({
        action: 'Ignore',
        onPodConditions: [{ type: 'DisruptionTarget' }],
      });
      const failing = rules.filter(({ action }) => action === 'FailJob');
      expect(failing.flatMap(({ onExitCodes }) => onExitCodes?.values ?? [])).toEqual([2, 3, 4, 6]);
      expect(job?.template.spec.restartPolicy, 'what podFailurePolicy asks for').toBe('Never');
      expect(job?.backoffLimit, 'for exits 1 and 5').toBeGreaterThan(0);
      expect(job?.activeDeadlineSeconds).toBeGreaterThanOrEqual(21_600);
      for (const rule of failing) expect(rule.onExitCodes?.containerName).toBe('placement-sync');
    },
  );

  it('a migration that another version must do fails its Job at once, and is tried again otherwise', () => {
    const [job] = readManifests('overlays/migrate-job').map(({ spec }) => spec as JobSpec);
    const failing = job?.podFailurePolicy.rules.filter(({ action }) => action === 'FailJob') ?? [];
    expect(failing.flatMap(({ onExitCodes }) => onExitCodes?.values ?? [])).toEqual([2]);
    expect(job?.template.spec.restartPolicy).toBe('Never');
    expect(job?.backoffLimit).toBeGreaterThan(0);
  });

  it('a CronJob does not fail for ever because of one row that is wrong', () => {
    expect(podTemplate('cronjob').spec.containers[0].args).toEqual(['run', '--treat-as-success', '3,6']);
  });

  it('the CronJob never runs twice at a time and survives a long run', () => {
    const [cronJob] = readManifests('overlays/cronjob');
    expect(cronJob?.spec).toMatchObject({
      concurrencyPolicy: 'Forbid',
      timeZone: 'Asia/Jakarta',
      startingDeadlineSeconds: 300,
    });
  });
});

it('the webhook’s Service and budget choose the worker’s pods, and no others', () => {
  const labels = podTemplate('long-running').metadata.labels;
  const manifests = readManifests('overlays/long-running');
  const spec = (kind: string) => manifests.find((each) => each.kind === kind)?.spec as SelectorSpec;
  expect(spec('Service').selector).toEqual(labels);
  expect(spec('PodDisruptionBudget').selector.matchLabels).toEqual(labels);
  expect(spec('Deployment')).toMatchObject({ replicas: 2, selector: { matchLabels: labels } });
  for (const other of ['cronjob', 'resync-job'] as const)
    expect(podTemplate(other).metadata.labels).not.toEqual(labels);
});

describe('the egress of every pod', () => {
  const policy = readManifests('base').find(({ kind }) => kind === 'NetworkPolicy');
  const { policyTypes, egress } = policy?.spec as {
    policyTypes: readonly string[];
    egress: readonly {
      readonly to?: readonly { readonly ipBlock?: { readonly cidr: string; readonly except?: string[] } }[];
      readonly ports?: readonly { readonly port: number }[];
    }[];
  };
  const blocks = (port: number) =>
    egress
      .filter(({ ports = [] }) => ports.some((each) => each.port === port))
      .flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : [])));

  it('names receivers and ports in every rule', () => {
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    for (const { to = [], ports = [] } of egress) {
      expect(to).not.toEqual([]);
      expect(ports).not.toEqual([]);
    }
    expect([...new Set(egress.flatMap(({ ports = [] }) => ports.map(({ port }) => port)))]).toEqual([
      53, 5432, 443,
    ]);
  });

  it('reaches nothing but name lookups until addresses are filled in: those that stand there nobody has', () => {
    const stand = [...blocks(5432), ...blocks(443)];
    expect(stand).not.toEqual([]);
    for (const { cidr } of stand) expect(cidr).toMatch(/^(192\.0\.2|198\.51\.100)\.\d+\/32$/);
  });
});

function isSecret(volume: unknown, name: string): boolean {
  return (volume as { secretName?: string } | undefined)?.secretName === name;
}

interface SelectorSpec {
  readonly selector: Readonly<Record<string, unknown>>;
}

interface JobSpec {
  readonly activeDeadlineSeconds: number;
  readonly backoffLimit: number;
  readonly podFailurePolicy: {
    readonly rules: readonly {
      readonly action: string;
      readonly onExitCodes?: { readonly containerName: string; readonly values: readonly number[] };
      readonly onPodConditions?: unknown;
    }[];
  };
  readonly template: { readonly spec: { readonly restartPolicy: string } };
}

/** What an operator puts into the Secret. */
function secretValues(): Record<string, string> {
  const values: Record<string, string> = {
    SOURCE_DATABASE_URL: 'postgres://reader@db.example.com/hr',
    STATE_DATABASE_URL: 'postgres://state@db.example.com/placement_sync',
    PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
  };
  const names = Object.keys(literals).filter((name) => name.endsWith('_FILE'));
  return Object.fromEntries(
    names
      .map((name) => name.replace(/_FILE$/, ''))
      .map((name) => [name, values[name] ?? 'a-secret-value-of-some-length']),
  );
}

function loadMounted() {
  return loadConfig({ file: CONFIG, env: secretValues() }).settings;
}
