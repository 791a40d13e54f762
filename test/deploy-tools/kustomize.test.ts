import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCli } from '../cli/run-cli.js';
import { checkManifest, type Manifest } from '../deploy/check-manifest.js';
import { KUBERNETES, OVERLAYS, type PodTemplate } from '../deploy/read-manifests.js';
import { runTool } from './run-tool.js';

type Rendered = Manifest & { readonly data?: Readonly<Record<string, string>> };

/** What `kubectl apply -k` would send to the cluster. */
function render(overlay: string): Rendered[] {
  const { exitCode, stdout, stderr } = runTool('kubectl', ['kustomize', `${KUBERNETES}/overlays/${overlay}`]);
  if (exitCode !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
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
    const root = mkdtempSync(join(tmpdir(), 'placement-sync-pod-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
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
    for (const [name, path] of Object.entries(env))
      if (name.endsWith('_FILE'))
        writeFileSync(path, secrets[name.replace(/_FILE$/, '')] ?? 'a-secret-value-of-some-length');
    const { exitCode, stderr } = await runCli(['config', 'check'], { env });
    expect(exitCode, stderr).toBe(0);
  });
});
