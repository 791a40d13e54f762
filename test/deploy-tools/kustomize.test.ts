import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { runCli } from '../cli/run-cli.js';
import {
  checkManifest,
  FLEET_OVERLAYS,
  KUBERNETES,
  type Manifest,
  OVERLAYS,
  type PodTemplate,
} from '../deploy/manifests.js';
import { runTool } from './run-tool.js';
import { temporaryFolder } from '../temporary-folder.js';

type Rendered = Manifest & { readonly data?: Readonly<Record<string, string>> };

/** What `kubectl apply -k` would send to the cluster. `from`: the folder, as somebody has edited it. */
function render(overlay: string, from: string = KUBERNETES): Rendered[] {
  const { exitCode, stdout, stderr } = runTool('kubectl', ['kustomize', `${from}/overlays/${overlay}`]);
  if (exitCode !== 0) throw new Error(stderr);
  expect(stderr, 'warnings, as for deprecated fields').toBe('');
  return parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
}

/** A copy of the folder in which `edits` are done, each to one file. */
function edited(...edits: readonly (readonly [file: string, from: string, to: string])[]): string {
  const folder = temporaryFolder();
  cpSync(KUBERNETES, folder, { recursive: true });
  for (const [file, from, to] of edits) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  }
  return folder;
}

function podOf(manifests: readonly Rendered[]): PodTemplate['spec'] {
  for (const { kind, spec } of manifests) {
    const { template, jobTemplate } = (spec ?? {}) as {
      template?: PodTemplate;
      jobTemplate?: { spec: { template: PodTemplate } };
    };
    if (kind === 'CronJob' && jobTemplate) return jobTemplate.spec.template.spec;
    if ((kind === 'Deployment' || kind === 'Job') && template) return template.spec;
  }
  throw new Error('nothing makes a pod');
}

describe.each(OVERLAYS)('kubectl kustomize %s', (overlay) => {
  it('gives only what Kubernetes knows, once each', () => {
    const manifests = render(overlay);
    expect(manifests.flatMap(checkManifest)).toEqual([]);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('NetworkPolicy placement-sync');
  });

  it('gives pods whose mounted files pass `config check`', async () => {
    const manifests = render(overlay);
    const data = (name: string) => {
      const found = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
      expect(found, `the ConfigMap ${name} that the pod names`).toBeDefined();
      return found?.data ?? {};
    };
    // The pod's file system, in a folder.
    const root = temporaryFolder();
    const { containers, volumes } = podOf(manifests);
    for (const { name, mountPath, subPath } of containers[0].volumeMounts) {
      const volume = volumes.find((each) => each.name === name);
      const files = volume?.configMap ? data((volume.configMap as { name: string }).name) : {};
      const folder = join(root, subPath === undefined ? mountPath : dirname(mountPath));
      mkdirSync(folder, { recursive: true });
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    }
    const [from] = containers[0].envFrom as [{ configMapRef: { name: string } }];
    const env = Object.fromEntries(
      Object.entries(data(from.configMapRef.name)).map(([name, path]) => [name, join(root, path)]),
    );
    const secrets: Record<string, string> = {
      SOURCE_DATABASE_URL: 'postgres://reader@db.example.com/hr',
      STATE_DATABASE_URL: 'postgres://state@db.example.com/state',
      PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
    };
    // A variable of the container goes before one of the ConfigMap.
    for (const { name, value } of containers[0].env ?? []) env[name] = join(root, value);
    for (const [name, path] of Object.entries(env))
      if (name.endsWith('_FILE'))
        writeFileSync(path, secrets[name.replace(/_FILE$/, '')] ?? 'a-secret-value-of-some-length');
    const { exitCode, stderr } = await runCli(['config', 'check'], { env });
    expect(exitCode, stderr).toBe(0);
  });
});

describe.each(FLEET_OVERLAYS)('kubectl kustomize %s', (overlay) => {
  it('gives only what Kubernetes knows, once each, with the ConfigMap that the pods mount', () => {
    const manifests = render(overlay);
    expect(manifests.flatMap(checkManifest)).toEqual([]);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('NetworkPolicy placement-sync-fleet');
    const [volume] = podOf(manifests).volumes;
    expect(names).toContain(`ConfigMap ${(volume?.configMap as { name: string }).name}`);
  });
});

it('with the autoscaler nothing else sets the number of replicas', () => {
  const folder = edited([
    'overlays/fleet/kustomization.yaml',
    '# - ../../components/fleet-autoscaling',
    '- ../../components/fleet-autoscaling',
  ]);
  const manifests = render('fleet', folder);
  expect(manifests.flatMap(checkManifest)).toEqual([]);
  expect(manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler')).toBeDefined();
  expect(manifests.find(({ kind }) => kind === 'Deployment')?.spec).not.toHaveProperty('replicas');
});

it('an image is pinned by its digest in one place, for every overlay', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
  const folder = edited([
    'components/image/kustomization.yaml',
    '# newName: registry.example.com/placement-sync\n    # digest: sha256:…',
    `newName: registry.example.com/placement-sync\n    digest: ${digest}`,
  ]);
  for (const overlay of [...OVERLAYS, ...FLEET_OVERLAYS])
    // The tag is for people: what runs is what the digest names.
    expect(podOf(render(overlay, folder)).containers[0].image, overlay).toMatch(
      new RegExp(`^registry\\.example\\.com/placement-sync(:[\\w.-]+)?@${digest}$`),
    );
});

describe('the component for the Prometheus operator', () => {
  const monitored = () =>
    render(
      'long-running',
      edited([
        'overlays/long-running/kustomization.yaml',
        '# - ../../components/monitoring',
        '- ../../components/monitoring',
      ]),
    );

  it('is not there unless it is named', () => {
    const kinds = render('long-running').map(({ kind }) => kind);
    expect(kinds).not.toContain('ServiceMonitor');
    expect(kinds).not.toContain('PrometheusRule');
  });

  it('gives only what Kubernetes and the operator know, and nothing of its own workings', () => {
    const manifests = monitored();
    expect(manifests.flatMap(checkManifest)).toEqual([]);
  });

  it('scrapes the port of the pods that has the metrics, once', () => {
    const manifests = monitored();
    const of = (kind: string, name: string) =>
      manifests.find((each) => each.kind === kind && each.metadata.name === name);
    const service = of('Service', 'placement-sync-metrics');
    const { selector, ports } = service?.spec as {
      selector: object;
      ports: readonly { readonly name: string; readonly targetPort: string }[];
    };
    const monitor = of('ServiceMonitor', 'placement-sync')?.spec as {
      selector: { matchLabels: object };
      endpoints: readonly { readonly port: string; readonly path: string }[];
    };
    expect(service?.metadata.labels).toEqual(monitor.selector.matchLabels);
    expect(monitor.endpoints).toEqual([expect.objectContaining({ port: ports[0]?.name, path: '/metrics' })]);
    const deployment = of('Deployment', 'placement-sync')?.spec as { template: PodTemplate };
    expect(deployment.template.metadata.labels).toEqual(selector);
    expect(deployment.template.metadata, 'else it is scraped twice').not.toHaveProperty('annotations');
    const container = deployment.template.spec.containers[0];
    expect(container.ports).toContainEqual({ name: ports[0]?.targetPort, containerPort: 9091 });
  });

  it('has valid rules, each with the command that prints its section of the runbook', () => {
    const rule = monitored().find(({ kind }) => kind === 'PrometheusRule')?.spec as {
      groups: readonly {
        readonly rules: readonly { readonly alert: string; readonly annotations: { runbook: string } }[];
      }[];
    };
    const rules = rule.groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`placement-sync help runbook ${alert}`);
    const file = join(mkdtempSync(join(tmpdir(), 'placement-sync-rules-')), 'rules.yaml');
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, stringify({ groups: rule.groups }));
    const { exitCode, stdout, stderr } = runTool('promtool', ['check', 'rules', file]);
    expect(exitCode, `${stdout}${stderr}`).toBe(0);
  });
});
