import { spawnSync } from 'node:child_process';

/** Debian's package of each tool. */
const PACKAGES: Readonly<Record<string, string>> = { kubectl: 'kubernetes-client', promtool: 'prometheus' };

/** Stops before the first test when a tool is missing, with the one command that installs it. */
export default function checkTools(): void {
  const missing = Object.keys(PACKAGES).filter(
    (tool) => spawnSync(tool, ['--help'], { stdio: 'ignore' }).error !== undefined,
  );
  if (missing.length === 0) return;
  const packages = missing.map((tool) => PACKAGES[tool]).join(' ');
  throw new Error(
    `test:deploy needs ${missing.join(' and ')}. On Debian: apt-get install -y --no-install-recommends ${packages}`,
  );
}
