import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPANIES, VACANCIES, type QueryKind } from './queries.js';

export interface ConfigOptions {
  readonly folder: string;
  readonly sourceUrl: string;
  readonly stateUrl: string;
  /** Address of the platform. */
  readonly baseUrl: string;
  /** Null: companies only. */
  readonly vacancies: QueryKind | null;
  /** Null: no limit. */
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
  /** Cron expression of `start`. */
  readonly schedule?: string;
  readonly adminPort?: number;
}

/** Writes a configuration with its queries, and gives its path. Everything else is as usual, except what would disturb. */
export function writeConfig(options: ConfigOptions): string {
  const { folder, sourceUrl, stateUrl, baseUrl, vacancies, ratePerSecond, concurrency } = options;
  mkdirSync(folder, { recursive: true });
  const entity = (name: string, sql: string): string => {
    writeFileSync(join(folder, `${name}.sql`), sql);
    return `  ${name}: { query: ${name}.sql }`;
  };
  const file = join(folder, 'placement-sync.yaml');
  writeFileSync(
    file,
    [
      `source: { url: '${sourceUrl}', timeZone: UTC }`,
      `state: { url: '${stateUrl}' }`,
      'ids: { namespace: 2f0a3c0e-6d5b-4c1e-9a65-7c2f4e1b8d90 }',
      'platform:',
      `  jobs: { baseUrl: '${baseUrl}', clientId: bench, clientSecret: bench, ratePerSecond: ${ratePerSecond ?? 'null'}, concurrency: ${concurrency} }`,
      'entities:',
      entity('companies', COMPANIES),
      ...(vacancies === null ? [] : [entity('vacancies', VACANCIES[vacancies])]),
      // A benchmark changes as much as it likes.
      'guards: { maxChangedPercent: 100, maxVanishedPercent: 100 }',
      'sweep: { fullEvery: 3650d }',
      `schedule: { sync: '${options.schedule ?? '0 0 1 1 *'}' }`,
      `http: { public: { host: 127.0.0.1, port: 0 }, admin: { port: ${options.adminPort ?? 0} } }`,
    ].join('\n'),
  );
  return file;
}
