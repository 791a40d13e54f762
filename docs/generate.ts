import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { fleetTable, measuredOn, performanceTable } from '../bench/results/performance-table.js';
import { envExample, fleetSettingsList, tenantSettingsList, usualSettingsList } from './settings-list.js';
import { fleetSchema } from '../src/features/fleet/config/tenant-variables.js';
import { configJsonSchema } from '../src/cli/output/json-schema.js';
import { doctorChecksList } from './doctor-checks.js';
import { openApiYaml } from './openapi-yaml.js';
import { prometheusRule } from './prometheus-rule.js';
import { contractText } from '../src/features/init/write/contract-text.js';
import {
  commandsReference,
  comparedFields,
  errorCodesList,
  exitCodesTable,
  fleetMetricsList,
  guardsList,
  metricsList,
  probeChecksList,
} from './render.js';

/** One thing that the code knows and a file repeats. */
export interface Generator {
  /** Seen from the project's folder. */
  readonly file: string;
  /** Name of the marked region that is replaced; null: the whole file. */
  readonly region: string | null;
  readonly render: () => string | Promise<string>;
}

/** Everything that is printed from the code. `npm run docs` writes it; a test fails when a copy is stale. */
export const GENERATORS: readonly Generator[] = [
  { file: 'docs/reference/settings.md', region: 'settings', render: usualSettingsList },
  { file: 'docs/reference/settings.md', region: 'fleet', render: fleetSettingsList },
  { file: 'docs/reference/settings.md', region: 'tenant', render: tenantSettingsList },
  { file: '.env.example', region: null, render: envExample },
  {
    file: 'config/placement-sync.schema.json',
    region: null,
    render: () => JSON.stringify(configJsonSchema()),
  },
  {
    file: 'config/fleet.schema.json',
    region: null,
    render: () => JSON.stringify(configJsonSchema(fleetSchema, 'Configuration of a fleet of placement-sync')),
  },
  { file: 'docs/reference/columns.md', region: 'columns', render: contractText },
  { file: 'docs/reference/columns.md', region: 'compared', render: comparedFields },
  { file: 'docs/adapter.md', region: 'probe-checks', render: probeChecksList },
  { file: 'docs/openapi.yaml', region: null, render: openApiYaml },
  { file: 'docs/reference/metrics.md', region: 'metrics', render: metricsList },
  { file: 'docs/reference/metrics.md', region: 'fleet-metrics', render: fleetMetricsList },
  { file: 'docs/reference/codes.md', region: 'exit-codes', render: exitCodesTable },
  { file: 'docs/reference/codes.md', region: 'guards', render: guardsList },
  { file: 'docs/reference/codes.md', region: 'error-codes', render: errorCodesList },
  { file: 'docs/reference/codes.md', region: 'checks', render: doctorChecksList },
  { file: 'docs/reference/commands.md', region: 'commands', render: commandsReference },
  { file: 'docs/dev/performance.md', region: 'results', render: performanceTable },
  { file: 'docs/dev/performance.md', region: 'machine', render: measuredOn },
  { file: 'docs/dev/performance.md', region: 'fleet', render: fleetTable },
  {
    file: 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml',
    region: null,
    render: () => prometheusRule(ROOT),
  },
];

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The whole content that a file should have, formatted as the project's files are. */
export async function generate(file: string): Promise<string> {
  const path = join(ROOT, file);
  let content = '';
  for (const { region, render } of GENERATORS.filter((generator) => generator.file === file)) {
    const before = content === '' && region !== null ? readFileSync(path, 'utf8') : content;
    content = region === null ? await render() : replaceRegion(before, region, await render(), file);
  }
  if (!/\.(md|yaml|json)$/.test(file)) return content;
  return format(content, { ...(await resolveConfig(path)), filepath: path });
}

/** The files that generators write, each once. */
export function generatedFiles(): string[] {
  return [...new Set(GENERATORS.map(({ file }) => file))];
}

/**
 * Replaces what stands between `<!-- generated:NAME -->` and the next `<!-- /generated -->`.
 * Throws when the file has no such marks, because its copy would go stale unnoticed.
 */
export function replaceRegion(text: string, region: string, content: string, file: string): string {
  const opening = `<!-- generated:${region} -->`;
  const closing = '<!-- /generated -->';
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start);
  if (start < 0 || end < 0) throw new Error(`${file} lacks ${opening} … ${closing}`);
  return `${text.slice(0, start + opening.length)}\n\n${content}\n\n${text.slice(end)}`;
}

/** Writes the files whose content is another than it should be. Gives their paths. */
async function writeGenerated(): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of generatedFiles()) {
    const path = join(ROOT, file);
    const content = await generate(file);
    if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
    writeFileSync(path, content);
    changed.push(file);
  }
  return changed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const changed = await writeGenerated();
  console.log(
    changed.length === 0
      ? 'Every generated page is up to date.'
      : changed.map((file) => `wrote ${file}`).join('\n'),
  );
}
