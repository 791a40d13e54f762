import { lstatSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { resolve } from 'node:path';
import type { LoadedConfig } from '../../core/config/load.js';
import { SyncError, usageError } from '../../core/domain/errors.js';
import type { EntityName } from '../../core/domain/names.js';
import { scrubValue } from '../../core/domain/scrub-text.js';
import { isAboutApplications } from '../../core/entities/index.js';
import type { EntityState } from '../../core/domain/entity-state.js';
import { replaceFile } from '../output/files.js';
import { createState } from '../../features/create-state.js';
import { createDiagnostics } from './diagnostics.js';
import { createStateDatabase } from '../../core/ledger/database/state-database.js';
import { readStatus } from '../../features/look/read-status.js';
import { io } from '../io.js';
import { configuredEntities } from './configured-entities.js';
import { COMMIT, systemClock, VERSION } from './package-info.js';
import type { ListedRun } from '../../core/ledger/runs.js';

const RUNS = 20;
const GROUPS = 50;

/**
 * What support needs (docs/watch.md), without secrets, payloads and personal data. Each section is read separately;
 * one that fails is `{ "error": … }` and named in `unread`, so that a bundle exists also when the database is down.
 */
export async function readBundle(config: LoadedConfig) {
  const { settings } = config;
  const names = [...config.entities.keys()];
  const database = createStateDatabase({ ...settings.state, poolMax: 2 });
  const source = createStateDatabase({ ...settings.state, url: settings.source.url, poolMax: 1 });
  const state = createState(database);
  const diagnostics = createDiagnostics(database);
  const unread: string[] = [];
  const section = async (name: string, read: () => unknown): Promise<unknown> => {
    try {
      return await read();
    } catch (error) {
      unread.push(name);
      // A defect's own message may hold anything.
      const known = error instanceof SyncError;
      return { error: known ? `${error.code}: ${error.message}` : 'unexpected error' };
    }
  };
  const eachEntity = async <T>(read: (name: EntityName) => Promise<T>) =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
  const configured = new Map(configuredEntities(config).map(({ name, fingerprint }) => [name, fingerprint]));
  try {
    const content = {
      // A later format has a higher number.
      format: 'placement-sync-bundle/1',
      writtenAt: new Date(systemClock.now()).toISOString(),
      versions: {
        program: VERSION,
        commit: COMMIT,
        node: process.version,
        system: `${process.platform} ${process.arch} ${release()}`,
        statePostgres: await section('versions.statePostgres', () => diagnostics.serverVersion()),
        sourcePostgres: await section('versions.sourcePostgres', () =>
          createDiagnostics(source).serverVersion(),
        ),
        migrations: await section('versions.migrations', () => diagnostics.migrations()),
      },
      configuration: { file: config.file, warnings: config.warnings, settings: config.masked() },
      status: await section('status', () => readStatus(state, names)),
      entityState: await section('entityState', () =>
        eachEntity(async (name) => ({
          configuredFingerprint: configured.get(name) ?? null,
          ...withoutKeys(await state.entityStates.read(name)),
        })),
      ),
      leases: await section('leases', async () => (await state.leases.holders()).toReversed()),
      environments: await section('environments', () => state.environments.read()),
      runs: await section('runs', async () => (await state.runs.recent(RUNS)).map(withoutMessages)),
      errors: await section('errors', () => diagnostics.errors(GROUPS)),
      issues: await section('issues', () => diagnostics.issues(GROUPS)),
      tables: await section('tables', () => diagnostics.tables()),
    };
    return { content: scrubValue(content, config.secrets()), unread };
  } finally {
    await Promise.allSettled([database.close(), source.close()]);
  }
}

/** The key of a record about an application is its id, and messages may name an applicant. */
function withoutKeys(state: EntityState): object {
  if (!isAboutApplications(state.entity)) return state;
  const hold = state.hold && { ...state.hold, sampleKeys: [] };
  const pushHold = state.pushHold && { ...state.pushHold, sampleKeys: [] };
  return { ...state, hold, pushHold };
}

function withoutMessages(run: ListedRun): object {
  const entities = Object.entries(run.entities).map(([name, report]) =>
    report.error && isAboutApplications(name)
      ? [name, { ...report, error: { code: report.error.code, message: 'left out' } }]
      : [name, report],
  );
  return { ...run, entities: Object.fromEntries(entities) as object };
}

const OWNER_ONLY = 0o600;

/**
 * Gives a function that writes a bundle to a file: whole or not at all, readable only by its owner. An existing file is
 * replaced only if it is a bundle or empty, so that a typing error cannot destroy a configuration.
 * Errors: SyncError `usage`, at once for an existing file of another kind, later for errors of the file system.
 */
export function openBundleFile(file: string): (content: unknown) => void {
  const path = resolve(io().cwd, file);
  refuseOther(path, file);
  return (content) => {
    try {
      replaceFile(path, `${JSON.stringify(content, null, 2)}\n`, OWNER_ONLY);
    } catch (error) {
      throw refusal(`--bundle ${file}: ${(error as Error).message}.`);
    }
  };
}

function refuseOther(path: string, file: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) throw refusal(`--bundle ${file} exists and is not a regular file.`);
  const content = found.size === 0 ? '' : readFileSync(path, 'utf8');
  if (content !== '' && !content.includes(`"format": "placement-sync-bundle/`))
    throw refusal(`--bundle ${file} exists and is not a bundle, so it is not replaced.`);
}

function refusal(message: string): SyncError {
  return usageError(
    message,
    'Name a new file, in a folder that this user can write to: --bundle placement-sync-bundle.json',
  );
}
