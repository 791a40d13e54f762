import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { editQuery } from './edit-query.js';
import { fillLookup } from './fill-lookup.js';
import type { Decisions } from './schema-files.js';
import { merge } from './write-configuration.js';

interface DraftedSettings extends Record<string, unknown> {
  readonly platform: Readonly<Record<string, unknown>>;
  readonly entities: Readonly<Record<string, { readonly lookups?: Readonly<Record<string, string>> }>>;
}

/**
 * Edits the files that `init` drafted as the decisions say: settings, queries, ids of lookups.
 * @returns the ids that `init` had filled in and that the decisions call wrong
 */
export function applyDecisions(folder: string, decisions: Decisions): string[] {
  const configFile = join(folder, 'placement-sync.yaml');
  const drafted = parse(readFileSync(configFile, 'utf8')) as DraftedSettings;
  const wrong: string[] = [];
  const lookups: Record<string, Record<string, string>> = {};
  for (const [entity, edits] of Object.entries(decisions.drafts)) {
    const query = join(folder, 'queries', `${entity}.sql`);
    writeFileSync(query, editQuery(readFileSync(query, 'utf8'), edits));
    const files = drafted.entities[entity]?.lookups ?? {};
    const byHand = handLookups(decisions, entity);
    const chosen: Record<string, string> = { ...files };
    lookups[entity] = chosen;
    for (const column of new Set([...Object.keys(files), ...Object.keys(byHand)])) {
      const name = files[column] ?? byHand[column] ?? '';
      const path = join(folder, name);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : 'code,id\n';
      const filled = fillLookup(text, decisions.lookups[byHand[column] ?? ''] ?? edits.words?.[column] ?? {});
      writeFileSync(path, filled.csv);
      wrong.push(...filled.wrong.map((text) => `${entity}.${column}: ${text}`));
      chosen[column] = name;
    }
  }
  const over = {
    platform: Object.fromEntries(
      Object.keys(drafted.platform).map((area) => [area, { ratePerSecond: null }]),
    ),
    entities: Object.fromEntries(
      Object.entries(lookups).map(([entity, files]) => [entity, { lookups: files }]),
    ),
  };
  writeFileSync(configFile, stringify(merge(merge(drafted, decisions.settings), over)));
  return wrong;
}

/** Column → file, as the configuration that was written by hand has them. */
function handLookups({ settings }: Decisions, entity: string): Readonly<Record<string, string>> {
  const { entities = {} } = settings as { entities?: Record<string, { lookups?: Record<string, string> }> };
  return entities[entity]?.lookups ?? {};
}
