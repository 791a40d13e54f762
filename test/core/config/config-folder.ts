import { loadConfig, type LoadedConfig } from '../../../src/core/config/load.js';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { EnvironmentVariables } from '../../../src/core/config/read-named-config.js';
import { temporaryFolder } from '../../temporary-folder.js';

/** A configuration with companies, in which nothing is wrong. Lines are what the tests count on. */
export const SMALL = `source:
  url: postgres://reader:pw@db.example/hr
ids:
  namespace: 6ba7b810-9dad-41d1-80b4-00c04fd430c8
platform:
  jobs:
    baseUrl: https://jobs.example
    clientId: partner
    clientSecret: secret-key
entities:
  companies:
    query: companies.sql
`;

/** A folder with these files, removed after the test; `companies.sql` and `config.yaml` are there anyway. */
export function configFolder(files: Readonly<Record<string, string>> = {}): string {
  return temporaryFolder({ 'config.yaml': SMALL, 'companies.sql': 'select 1 as key', ...files });
}

/** Loads `config.yaml` of a folder made from these files. */
export function loadFrom(
  files: Readonly<Record<string, string>>,
  env: EnvironmentVariables = {},
): LoadedConfig {
  return loadConfig({ file: 'config.yaml', env, cwd: configFolder(files) });
}

/** Loads this text as the configuration. */
export function load(yaml: string, env: EnvironmentVariables = {}): LoadedConfig {
  return loadFrom({ 'config.yaml': yaml }, env);
}

/** The lines of the error's message after the first, which only counts them. */
export function problemsOf(act: () => unknown): string[] {
  return refusalOf(act).message.split('\n').slice(1);
}

/** The error that a wrong configuration ends in. */
export function refusalOf(act: () => unknown): SyncError {
  try {
    act();
  } catch (error) {
    if (error instanceof SyncError && error.code === 'config-invalid') return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
