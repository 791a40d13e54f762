import { spawnSync } from 'node:child_process';

/** Where each tool comes from. */
const PACKAGES: Readonly<Record<string, string>> = {
  kubectl: 'kubectl 1.27 or later (from Debian 13 on: kubernetes-client)',
  promtool: 'promtool (Debian: prometheus)',
};

/** Before it, `kubectl kustomize` does not know what the manifests use: components, replacements. */
const KUBECTL_MINOR = 27;

/** Stops before the first test when a tool is missing or too old, and says which one. */
export default function checkTools(): void {
  const missing = Object.keys(PACKAGES).filter((tool) => !isThere(tool));
  if (missing.length === 0) return;
  throw new Error(`test:deploy needs ${missing.map((tool) => PACKAGES[tool]).join(' and ')}.`);
}

function isThere(tool: string): boolean {
  if (tool !== 'kubectl') return spawnSync(tool, ['--help'], { stdio: 'ignore' }).error === undefined;
  const { error, stdout } = spawnSync(tool, ['version', '--client'], { encoding: 'utf8' });
  if (error) return false;
  // `Client Version: v1.32.4`, or `GitVersion:"v1.20.2"` of older ones.
  const [, minor = '0'] = /\bv1\.(\d+)\./.exec(stdout) ?? [];
  return Number(minor) >= KUBECTL_MINOR;
}
