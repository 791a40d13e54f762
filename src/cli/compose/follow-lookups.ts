import { isDeepStrictEqual } from 'node:util';
import type { LoadedConfig } from '../../core/config/load.js';
import { withFullStop } from '../../core/domain/text.js';
import type { ConfiguredEntity, RunContext } from '../../core/context.js';
import { configuredEntities } from './configured-entities.js';

type LookupFile = LoadedConfig['lookupFiles'][number];

/** How long a changed file must stay as it is before it is read, milliseconds: somebody may still be writing it. */
const SETTLE_MS = 1_000;
/** How often that is waited for. */
const TRIES = 5;

/**
 * The entities of a worker with their lookups as the files are now, for whoever asks: files that changed are read again. A
 * file that cannot be used leaves everything that was read from it before in place, with one warning for each change.
 * Queries and settings stay as they were loaded. The result never rejects.
 */
export function followLookups(
  config: LoadedConfig,
  { clock, emit, signal }: Pick<RunContext, 'clock' | 'emit' | 'signal'>,
): () => Promise<readonly ConfiguredEntity[]> {
  const files = config.lookupFiles;
  /** The versions that were judged, by file. */
  const judged = new Map(files.map((file) => [file, file.loaded]));
  const broken = new Set<LookupFile>();
  let present = config;
  let entities = configuredEntities(config);

  const look = async () => {
    const changed = files.filter((file) => file.version() !== judged.get(file));
    if (changed.length === 0) return entities;
    const versions = await untilSettled(changed);
    if (signal.aborted) return entities;
    if (versions === null) {
      warn(
        `${changed.map(({ name }) => name).join(', ')}: somebody is still writing there`,
        'The next sweep looks again.',
      );
      return entities;
    }
    changed.forEach((file, index) => take(file, versions[index] ?? ''));
    return entities;
  };

  /** Their versions, once they stay the same; null: they do not. */
  const untilSettled = async (changed: readonly LookupFile[]) => {
    let before = changed.map((file) => file.version());
    for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
      await clock.sleep(SETTLE_MS, signal);
      const now = changed.map((file) => file.version());
      if (isDeepStrictEqual(now, before)) return now;
      before = now;
    }
    return null;
  };

  const take = (file: LookupFile, version: string): void => {
    const read = attempt(file);
    // It changed while it was read: later, then.
    if (file.version() !== version) return;
    judged.set(file, version);
    if ('problem' in read) {
      broken.add(file);
      warn(read.problem, 'Correct the file. The next sweep reads it again, without a restart.');
      return;
    }
    const before = new Set(entities.map(({ fingerprint }) => fingerprint));
    present = withLookups(present, read.lookups);
    entities = configuredEntities(present);
    const other = entities.filter(({ fingerprint }) => !before.has(fingerprint)).map(({ name }) => name);
    if (broken.delete(file) || other.length > 0)
      emit({ type: 'lookup-changed', file: file.name, entities: other });
  };

  const warn = (problem: string, hint: string): void =>
    emit({
      type: 'warning',
      message: `A lookup has changed and cannot be used, so the worker goes on with what it read before. ${withFullStop(problem)}`,
      hint,
    });

  let looking: Promise<readonly ConfiguredEntity[]> | null = null;
  return () => (looking ??= look().finally(() => (looking = null)));
}

function attempt(
  file: LookupFile,
): { readonly lookups: ReturnType<LookupFile['read']> } | { readonly problem: string } {
  try {
    return { lookups: file.read() };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** A configuration with these lookups in place of those of the same columns. */
function withLookups(config: LoadedConfig, read: ReturnType<LookupFile['read']>): LoadedConfig {
  const entities = [...config.entities].map(([name, loaded]) => {
    const own = read.filter(({ entity }) => entity === name);
    const lookups = Object.fromEntries(own.map(({ column, lookup }) => [column, lookup] as const));
    return [name, { ...loaded, lookups: { ...loaded.lookups, ...lookups } }] as const;
  });
  return { ...config, entities: new Map(entities) };
}
