import type { Observations } from './observations.js';
import type { CoreState } from '../../core/ledger/core-state.js';
import { platformTimestamp } from '../../core/contract/time.js';
import { ERROR_CODES, usageError } from '../../core/domain/errors.js';
import { keySpellings, platformId } from '../../core/domain/key.js';
import type { Area } from '../../core/domain/names.js';
import { type CheckedAssumption, judgeProbe, PROBE_CHECKS, probeExitCode } from './checks.js';
import { emptySeen } from './seen.js';
import { convertLarge } from '../../core/entities/plain-text.js';
import type { LeaseHolder } from '../../core/ports/clock.js';
import {
  checkEnvironment,
  configuredEnvironments,
  refuseOtherEnvironment,
} from '../../core/run/environment.js';
import { readRow } from '../look/explain-record.js';
import { type HeldLease, quietUntil, reportTaken, type RunLeases, withLeases } from '../../core/leases.js';
import { takeOverClaims } from '../../core/push/take-over.js';
import type { ConfiguredEntity, RunContext, RunSettings, RunState } from '../../core/context.js';
import { whatEnded } from '../../core/run/end.js';
import { desiredPayload } from '../../core/sweep/examine-row.js';
import {
  childOf,
  createProbeLane,
  type ProbeContext,
  probePlatform,
  type ProbeSubject,
  type ProbeSubjects,
  type ReadSubject,
} from './probe-platform.js';

export type ProbeOptions = Pick<ProbeContext, 'isReadable'> & {
  readonly named: NamedRecords;
  /** Never shown and never stored, wherever the platform repeats them. */
  readonly secrets: readonly string[];
};

export interface ProbeResult {
  readonly checks: readonly CheckedAssumption[];
  readonly exitCode: number;
  /** Another process sends; nothing was done. */
  readonly heldBy: LeaseHolder | null;
}

interface ProbingContext extends RunContext {
  readonly state: RunState & { readonly observations: Observations };
}

/**
 * First contact with the platform, with records that the operator named. Under both leases, because it publishes the
 * records as a sweep does and sends them as a push does: whatever ends it, the ledger knows what the platform may hold,
 * and the next run goes on from there. Stores what was seen. Errors: SyncError `usage`, `environment-changed`,
 * `lease-lost`; those of source and state database.
 */
export async function runProbe(context: ProbingContext, options: ProbeOptions): Promise<ProbeResult> {
  await refuseOtherEnvironment(context);
  const held = await withLeases(context, (leases, signal) =>
    probeUnderLeases({ ...context, signal }, leases, options),
  );
  if ('result' in held) return held.result;
  reportTaken(context, held.heldBy);
  return { ...withoutRequests(options, 'another process is sending', ERROR_CODES.busy), heldBy: held.heldBy };
}

async function probeUnderLeases(
  context: ProbingContext,
  leases: RunLeases,
  options: ProbeOptions,
): Promise<ProbeResult> {
  const { state, settings, clock, signal, source } = context;
  const { named, secrets } = options;
  const { area } = named.parent.entity;
  // Again, because a person may have thought for long before the answer.
  const subjects = await readSubjects(context, named);
  await source.close();
  if ('issues' in subjects) {
    return withoutRequests(options, `the ${subjects.entity.noun.one} is not valid`, INVALID);
  }
  await takeOverClaims(context, leases.push);
  // Not before: an address or a client that is wrong must not become the ledger's.
  const beforePuts = async () => {
    await checkEnvironment(context);
    await desireSubject(state, leases.sweep, subjects.parent);
    if (subjects.child) await desireSubject(state, leases.sweep, subjects.child);
  };
  const rateLimit = context.rateLimit(area, quietUntil(leases.push, clock));
  const lane = createProbeLane(context, area, rateLimit);
  const { ratePerSecond = null } = settings.areas[area] ?? {};
  const ran = await probePlatform(
    { ...context, ...options, ratePerSecond, lane, lease: leases.push, beforePuts },
    subjects,
  );
  const checks = judgeProbe(ran.seen, secrets);
  await state.observations.save(probeEnvironment(settings, area), checks);
  const cause = whatEnded(signal);
  if (cause) throw cause;
  const exitCode = signal.aborted ? ERROR_CODES.interrupted : probeExitCode(checks, ran.end);
  return { checks, exitCode, heldBy: null };
}

/** Of a run with invalid records. */
const INVALID = 3;

/** The result of a probe that could not begin. */
export function withoutRequests(
  { named, secrets }: Pick<ProbeOptions, 'named' | 'secrets'>,
  because: string,
  exitCode: number,
): ProbeResult {
  const child = named.child && childOf(named.child.entity);
  const checks = judgeProbe({ ...emptySeen(null, child), ended: because }, secrets);
  return { checks, exitCode, heldBy: null };
}

interface NamedRecord {
  readonly entity: ConfiguredEntity;
  readonly key: string;
}

/** The records to send; `child` null: only the parent. */
interface NamedRecords {
  readonly parent: NamedRecord;
  readonly child: NamedRecord | null;
}

type ReadContext = Pick<RunContext, 'source' | 'clock' | 'signal' | 'settings'>;

/**
 * Reads and maps the records with the partner's own queries; or gives the one that is not valid. Errors: SyncError
 * `usage` for a key that the query does not have, and for a child of another parent; those of the source.
 */
export async function readSubjects(
  context: ReadContext,
  named: NamedRecords,
): Promise<ProbeSubjects | Extract<ReadSubject, { issues: unknown }>> {
  const parent = await readSubject(context, named.parent);
  if ('issues' in parent) return parent;
  if (named.child === null) return { parent: parent.subject, child: null };
  const child = await readSubject(context, named.child);
  if ('issues' in child) return child;
  if (child.subject.parentPlatformId !== parent.subject.platformId) {
    const { entity } = child.subject;
    throw usageError(
      `${entity.noun.one} "${child.subject.key}" does not belong to ${parent.subject.entity.noun.one} "${parent.subject.key}".`,
      `Name a ${entity.noun.one} whose ${entity.parent?.column ?? 'parent'} is "${parent.subject.key}".`,
    );
  }
  return { parent: parent.subject, child: child.subject };
}

async function readSubject(
  { source, clock, signal, settings }: ReadContext,
  { entity, key: asked }: NamedRecord,
): Promise<ReadSubject> {
  const found = await readRow(source, entity.query, keySpellings(asked), signal);
  if (found === null) {
    throw usageError(
      `The query has no ${entity.noun.one} "${asked}".`,
      `Keys are compared as text, to the letter. The query is ${entity.query.file}.`,
    );
  }
  const { key, row, rowVersion } = found;
  await convertLarge([row], entity.mapContext);
  const mapped = entity.map(row, entity.mapContext);
  const id = platformId(entity.name, key, entity.mapContext.namespace);
  const now = platformTimestamp(clock.now(), settings.platform.timeZone);
  const desired = desiredPayload(entity, mapped, null, id, now);
  if (desired === null) return { entity, key, issues: mapped.issues };
  const { parentPlatformId } = mapped;
  const { payload, hash } = desired;
  return { subject: { entity, key, platformId: id, parentPlatformId, rowVersion, payload, hash } };
}

/**
 * Publishes one record as a sweep would, so that the ledger knows of it before the platform does: whatever happens
 * afterwards, the next run finds it. The sweep lease must be held. Errors: SyncError `usage` when the ledger has the
 * record under another key; `lease-lost`.
 */
async function desireSubject(
  { staging }: Pick<CoreState, 'staging'>,
  lease: Pick<HeldLease, 'fenced'>,
  { entity, key, platformId, parentPlatformId, rowVersion, payload, hash }: ProbeSubject,
): Promise<void> {
  const finding = {
    kind: 'changed',
    key,
    platformId,
    parentPlatformId,
    rowVersion,
    desiredHash: hash,
    desiredPayload: payload,
    invalidReason: null,
    noted: null,
  } as const;
  await lease.fenced(async (fence) => {
    await staging.clear(fence);
    await staging.stage(fence, entity.name, [finding]);
    const [displaced] = await staging.displaced(fence, entity.name, true);
    if (displaced) {
      await staging.clear(fence);
      throw usageError(
        `The ledger has ${entity.noun.one} "${displaced.to}" as "${displaced.from}": its key has changed.`,
        'Let a run take the new key over first: placement-sync run',
      );
    }
    // Nobody's signal: it is one short transaction.
    const { signal } = new AbortController();
    await staging.publish(fence, entity.name, { renamings: [], expected: 1, stamp: null, signal });
    await staging.clear(fence);
  });
}

/** The platform that observations are about: address and client id. */
export function probeEnvironment(settings: RunSettings, area: Area): string {
  const found = configuredEnvironments(settings).find((each) => each.area === area);
  return found === undefined ? area : `${found.baseUrl} as ${found.clientId}`;
}

/** One assumption, and what this platform was last observed to do. Public interface, with `observedAt` as ISO text. */
export interface ObservedAssumption extends CheckedAssumption {
  /** Null: not observed yet. */
  readonly observedAt: Date | null;
}

/** What is shown of an assumption that no probe has tried. */
const NOT_OBSERVED = 'not observed yet: run probe';

/** Every assumption with the latest observation of this environment. Errors: those of the state database. */
export async function readObserved(
  { observations }: { readonly observations: Observations },
  environment: string,
): Promise<readonly ObservedAssumption[]> {
  const observed = new Map((await observations.read(environment)).map((each) => [each.id, each]));
  return PROBE_CHECKS.map(({ id, assumption, setting }) => {
    const { result = 'unknown', seen = NOT_OBSERVED, observedAt = null } = observed.get(id) ?? {};
    return { id, assumption, result, seen, setting, observedAt };
  });
}
