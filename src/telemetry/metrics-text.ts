import { Registry } from 'prom-client';
import { METRIC_PREFIX } from './metric-list.js';
import { createStateGauges, type StateReading } from './state-gauges.js';

/**
 * The metrics of one run as the text that node-exporter's textfile collector reads. There is no counter among them: a
 * process that ends counts from zero each time, and what it counted would be lost between two equal runs.
 *
 * `entities` null: the state could not be read. Then the last success is taken from `before`, the text of the run
 * before: a time stays true, and the alert for a stale entity needs it most when the state is gone.
 */
export async function metricsText(
  version: string,
  now: number,
  {
    entities,
    lastRun,
    before,
  }: {
    readonly entities: StateReading['entities'] | null;
    readonly lastRun: StateReading['lastRun'];
    readonly before: string;
  },
): Promise<string> {
  const registry = new Registry();
  createStateGauges(registry, version)({ entities: entities ?? {}, lastRun }, now);
  const text = withoutEmpty(await registry.metrics());
  if (entities !== null) return text;
  const kept = blocks(before).filter((block) => block.includes(LAST_SUCCESS));
  return [...kept, ...blocks(text).filter((block) => !block.includes(LAST_SUCCESS))].join('');
}

const LAST_SUCCESS = `# HELP ${METRIC_PREFIX}last_success_timestamp_seconds `;

/** One metric each, from its HELP line to the next one. */
function blocks(text: string): string[] {
  return text.split(/^(?=# HELP )/m).map((block) => `${block.trimEnd()}\n`);
}

/** Without metrics that have no value: only their heading would be there. */
function withoutEmpty(text: string): string {
  return blocks(text)
    .filter((block) => /^[^#\n]/m.test(block))
    .join('');
}
