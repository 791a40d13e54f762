import { SyncError } from './errors.js';
import type { EntityName } from './names.js';

/**
 * Which source an entity is read from, and how far that is behind. What an address says changes with a fail-over, a
 * pooler or a new host; so the server's own number names it, and its database. `otherSource` compares it with what the last applied sweep saw; `refuseLag` limits how old the rows may be.
 */

/** What names a source. */
export interface SourceOrigin {
  /** The system identifier of the server, which its physical replicas share; null: the role may not read it. */
  readonly system: string | null;
  readonly database: string;
  /** One that is created again under the same name has another. */
  readonly databaseOid: string;
}

/** What a sweep sees of its source beside the rows. */
export interface SourceSight {
  /** Null: the server does not show it. */
  readonly origin: SourceOrigin | null;
  /** Null: it is no replica. `lagMs`: how far it is behind; null: not known. */
  readonly replica: { readonly lagMs: number | null } | null;
  /** Absent: of an earlier version. */
  readonly reading?: ReadingTimes;
}

/** How long sweeps usually take to read, milliseconds: one that reads every row, and one that compares versions. */
export interface ReadingTimes {
  readonly full?: number;
  readonly quick?: number;
  /** The last one took much longer than usual; absent: it did not. */
  readonly slow?: SlowReading;
}

export interface SlowReading {
  readonly ms: number;
  readonly usualMs: number;
}

/** So many times as long as usual, and longer than this, is slow. */
const SLOWER = 10;
const SLOW_MS = 10_000;

/** Of how many sweeps the usual time is made. A slow one counts twice the usual at most, so it is said for a while. */
const REMEMBERED = 8;

/** What is known of the time that reading takes, after a sweep that took `ms`. */
export function nextReading(
  known: ReadingTimes | undefined,
  kind: 'full' | 'quick',
  ms: number,
): ReadingTimes {
  const usualMs = known?.[kind] ?? ms;
  const { slow: _, ...usual } = known ?? {};
  const next = { ...usual, [kind]: usualMs + (Math.min(ms, 2 * usualMs) - usualMs) / REMEMBERED };
  return ms > SLOW_MS && ms >= SLOWER * usualMs ? { ...next, slow: { ms, usualMs } } : next;
}

/** A source that is not the one from before. */
export interface OtherSource {
  /** Names it in an approval: another one needs another approval. */
  readonly id: string;
  /** What differs, in plain words. */
  readonly message: string;
}

/**
 * How the source differs from the known one; null: it does not, or one of them is not known. A database that only got
 * another name is the same one, where the server's number shows that it is the same server.
 */
export function otherSource(known: SourceOrigin | null, now: SourceOrigin | null): OtherSource | null {
  if (known === null || now === null) return null;
  const id = `${now.system ?? 'unknown'}/${now.databaseOid}/${now.database}`;
  const sameServer = known.system !== null && known.system === now.system;
  if (!sameServer && known.system !== null && now.system !== null) {
    const before = known.database === now.database ? '' : `, before "${known.database}"`;
    return {
      id,
      message: `Another server than before: its system identifier is ${now.system} instead of ${known.system} (database "${now.database}"${before}).`,
    };
  }
  if (known.databaseOid === now.databaseOid && (sameServer || known.database === now.database)) return null;
  const oids = `oid ${now.databaseOid} instead of ${known.databaseOid}`;
  const message =
    known.database === now.database
      ? `Another database than before: "${now.database}" was created again (${oids}).`
      : `Another database than before: "${now.database}" instead of "${known.database}"${known.databaseOid === now.databaseOid ? '' : ` (${oids})`}.`;
  return { id, message };
}

/**
 * What is stored of the source with a sweep that is applied. What could not be read this time stays known, unless it is
 * about another source.
 */
export function sightToKeep(known: SourceSight | null, now: SourceSight, isOther: boolean): SourceSight {
  if (!known?.origin || isOther) return now;
  const { origin } = now;
  return {
    ...now,
    origin: origin ? { ...origin, system: origin.system ?? known.origin.system } : known.origin,
  };
}

/** Errors: SyncError `replica-lag` of scope `entity`, when the replica is further behind than `maxMs`; null: no limit. */
export function refuseLag({ replica }: SourceSight, maxMs: number | null, entity: EntityName): void {
  const lagMs = replica?.lagMs ?? null;
  if (maxMs === null || lagMs === null || lagMs <= maxMs) return;
  throw new SyncError(
    'replica-lag',
    `The source is a replica, ${lagText(lagMs)} behind; source.maxReplicaLag is ${lagText(maxMs)}. Nothing of ${entity} was applied.`,
    {
      scope: 'entity',
      hint: 'Look at the replica: is its replay paused (pg_is_wal_replay_paused()), is its connection to the primary lost, or does a long read hold it up? The next run tries again. If such a delay is usual, raise source.maxReplicaLag.',
      details: { lagMs, maxMs },
    },
  );
}

/** `12 s`, also of an hour: so it is easy to compare. */
export function lagText(lagMs: number): string {
  return `${lagMs < 10_000 ? Number((lagMs / 1_000).toFixed(1)) : Math.round(lagMs / 1_000)} s`;
}
