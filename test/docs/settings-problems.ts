import { parse } from 'yaml';
import { settingsSchema } from '../../src/config/schema.js';
import { merge } from '../onboarding/write-configuration.js';

const AREA = {
  baseUrl: 'https://platform.example.com',
  clientId: 'client',
  clientSecret: 'a-long-enough-secret',
};

const COMPLETE = {
  source: { url: 'postgres://reader@127.0.0.1/hr' },
  ids: { namespace: '6ba7b810-9dad-41d1-80b4-00c04fd430c8' },
  platform: { jobs: AREA, training: AREA },
  entities: { companies: { query: 'q.sql' } },
};

/** What is wrong with a part of a configuration that a page shows; `${NAME}` stands for an address. */
export function settingsProblems(yaml: string): string[] {
  const part = parse(yaml.replaceAll(/\$\{\w+\}/g, 'postgres://role@127.0.0.1/db')) as Record<
    string,
    unknown
  >;
  const { error } = settingsSchema.safeParse(merge(COMPLETE, part));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}
