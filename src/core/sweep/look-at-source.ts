import {
  otherSource,
  refuseLag,
  type SourceSight,
  sightToKeep,
  type OtherSource,
} from '../domain/source-sight.js';
import type { EntityState } from '../domain/entity-state.js';
import type { SourceReader } from '../ports/source.js';
import type { ConfiguredEntity, RunSettings } from '../context.js';

/** Where a sweep reads from, compared with where the last applied one did. */
interface SeenSource {
  /** Null: the same one, or it is not known. A guard holds the sweep else. */
  readonly other: OtherSource | null;
  /** What is stored when the sweep is applied. */
  readonly kept: SourceSight;
  /** Of a replica: how far it is behind; left out: it is none, or not known. */
  readonly lagMs?: number;
}

/**
 * Looks at the source before rows are read; a sweep and a plan do it alike. Errors: SyncError `replica-lag` of scope
 * `entity`.
 */
export async function lookAtSource(
  reader: Pick<SourceReader, 'sight'>,
  settings: Pick<RunSettings, 'source'>,
  { name }: Pick<ConfiguredEntity, 'name'>,
  before: Pick<EntityState, 'source'>,
): Promise<SeenSource> {
  const sight = await reader.sight();
  refuseLag(sight, settings.source?.maxReplicaLagMs ?? null, name);
  const other = otherSource(before.source?.origin ?? null, sight.origin);
  const lagMs = sight.replica?.lagMs ?? null;
  return {
    other,
    kept: sightToKeep(before.source, sight, other !== null),
    ...(lagMs === null ? {} : { lagMs }),
  };
}
