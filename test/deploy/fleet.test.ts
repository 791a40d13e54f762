import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FLEET_METRICS, METRIC_PREFIX } from '../../src/features/metrics/metric-list.js';
import { FLEET_OVERLAYS, KUBERNETES, podTemplate, readManifests } from './manifests.js';

const read = (file: string) => parse(readFileSync(join(KUBERNETES, file), 'utf8')) as unknown;
const kustomization = (folder: string) =>
  read(`${folder}/kustomization.yaml`) as {
    readonly resources: readonly string[];
    readonly components?: readonly string[];
    readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
  };
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const manifest = <T>(folder: string, kind: string) => {
  const found = readManifests(folder).find((each) => each.kind === kind);
  if (!found) throw new Error(`${folder} has no ${kind}`);
  return found as typeof found & { readonly spec: T };
};

describe.each(FLEET_OVERLAYS)('pods of %s', (overlay) => {
  const { metadata, spec } = podTemplate(overlay);
  const [container] = spec.containers;

  it('run without any privilege', () => {
    const reference = podTemplate('long-running').spec;
    expect(container.securityContext).toEqual(reference.containers[0].securityContext);
    const { fsGroup: _files, ...rest } = reference.securityContext as Record<string, unknown>;
    expect(spec.securityContext).toEqual(rest);
    expect(spec.automountServiceAccountToken).toBe(false);
  });

  it('are those that the network policy of the fleet is about, and no pods of a worker', () => {
    const { podSelector } = manifest<{ podSelector: { matchLabels: Record<string, string> } }>(
      'fleet-base',
      'NetworkPolicy',
    ).spec;
    expect(metadata.labels).toMatchObject(podSelector.matchLabels);
    expect(podTemplate('long-running').metadata.labels).not.toMatchObject(podSelector.matchLabels);
  });

  it('run the image that one component names for all, of this version', () => {
    expect(container.image).toBe(`placement-sync:${version}`);
    expect(kustomization(`overlays/${overlay}`).components).toContain('../../components/image');
  });

  it('mount fleet.yaml where their command looks for it', () => {
    const [mount, ...others] = container.volumeMounts;
    expect(others).toEqual([]);
    expect(mount?.subPath).toBe('fleet.yaml');
    expect(container.args.slice(2)).toEqual(['--config', mount?.mountPath]);
    expect(spec.volumes).toEqual([{ name: 'config', configMap: { name: 'placement-sync-fleet-config' } }]);
    expect(kustomization('fleet-base').configMapGenerator).toEqual([
      { name: 'placement-sync-fleet-config', files: ['config/fleet.yaml'] },
    ]);
  });

  it('have every secret by reference', () => {
    expect(container.env).toBeUndefined();
    expect(container.envFrom).toContainEqual({ secretRef: { name: 'placement-sync-fleet' } });
  });
});

it('the replicas start, and only the Job changes tables', () => {
  expect(podTemplate('fleet').spec.containers[0].args.slice(0, 2)).toEqual(['fleet', 'start']);
  expect(podTemplate('fleet-migrate-job').spec.containers[0].args.slice(0, 2)).toEqual(['fleet', 'migrate']);
});

it('a new version replaces one replica after the other, and each has time to hand its tenants back', () => {
  const { spec } = manifest<Record<string, unknown>>('overlays/fleet', 'Deployment');
  expect(spec).toMatchObject({
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: podTemplate('fleet').metadata.labels },
  });
  const alike = podTemplate('long-running').spec.terminationGracePeriodSeconds;
  expect(podTemplate('fleet').spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(alike);
});

it('a replica is probed at the admin port of fleet.yaml, scraped at the metrics port, and reached from elsewhere at that alone', () => {
  const { http } = read('fleet-base/config/fleet.yaml') as {
    http: { admin: { host: string; port: number; token: string }; metrics: { host: string; port: number } };
  };
  expect(http.admin.host).toBe('0.0.0.0');
  expect(http.metrics.host).toBe('0.0.0.0');
  expect(http.admin.token, 'others than the probes need it').toBe('${ADMIN_TOKEN}');
  const { metadata, spec } = podTemplate('fleet');
  expect(metadata).toMatchObject({ annotations: { 'prometheus.io/port': String(http.metrics.port) } });
  const [container] = spec.containers;
  expect(container.ports).toEqual([
    { name: 'admin', containerPort: http.admin.port },
    { name: 'metrics', containerPort: http.metrics.port },
  ]);
  const worker = podTemplate('long-running').spec.containers[0];
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
    expect(container[probe]).toEqual(worker[probe]);
  const { ingress } = manifest<{ ingress: { ports: { port: number }[] }[] }>(
    'fleet-base',
    'NetworkPolicy',
  ).spec;
  expect(ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([http.metrics.port]);
});

it('what goes out is limited as it is for a worker', () => {
  const egress = (folder: string) =>
    manifest<{ egress: unknown; policyTypes: unknown }>(folder, 'NetworkPolicy').spec;
  expect(egress('fleet-base').egress).toEqual(egress('base').egress);
  expect(egress('fleet-base').policyTypes).toEqual(['Ingress', 'Egress']);
});

it('fleet.yaml has no secret in it', () => {
  const text = readFileSync(join(KUBERNETES, 'fleet-base/config/fleet.yaml'), 'utf8');
  for (const [, value = ''] of text.matchAll(/^\s*(?:url|token):\s*(.*)$/gm))
    expect(value).toMatch(/^\$\{\w+\}$/);
});

it('a migration that another version must do fails its Job at once, and is tried again otherwise', () => {
  const { spec } = manifest<Record<string, unknown>>('overlays/fleet-migrate-job', 'Job');
  expect(spec).toMatchObject({
    backoffLimit: 3,
    podFailurePolicy: {
      rules: [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        { action: 'FailJob', onExitCodes: { containerName: 'placement-sync', values: [2] } },
      ],
    },
    template: { spec: { restartPolicy: 'Never' } },
  });
});

it('the autoscaler is optional, and counts jobs that wait by a metric that there is', () => {
  expect(kustomization('overlays/fleet').components).toEqual(['../../components/image']);
  const { spec } = manifest<{
    scaleTargetRef: { kind: string; name: string };
    metrics: { external: { metric: { name: string }; target: { averageValue: string } } }[];
  }>('components/fleet-autoscaling', 'HorizontalPodAutoscaler');
  const { kind, name } = spec.scaleTargetRef;
  expect(manifest('overlays/fleet', kind).metadata.name).toBe(name);
  const [metric, ...others] = spec.metrics.map(({ external }) => external);
  expect(others).toEqual([]);
  expect(Object.keys(FLEET_METRICS).map((each) => METRIC_PREFIX + each)).toContain(metric?.metric.name);
  const { fleet } = read('fleet-base/config/fleet.yaml') as { fleet: { slots: number } };
  expect(metric?.target.averageValue).toBe(String(fleet.slots));
});

it('the budget keeps a replica while nodes are drained', () => {
  const { spec } = manifest<{ selector: { matchLabels: object } }>('overlays/fleet', 'PodDisruptionBudget');
  expect(spec).toMatchObject({ minAvailable: 1 });
  expect(podTemplate('fleet').metadata.labels).toEqual(spec.selector.matchLabels);
});
