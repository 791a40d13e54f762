import { ERROR_CODES } from '../../domain/errors.js';
import { emptySeen } from '../../domain/probe/seen.js';
import { judgeProbe, probeExitCode } from '../../domain/probe/checks.js';
import type { CheckedAssumption } from '../../domain/probe/check.js';
import type { LeaseHolder } from '../../ports/leases.js';
import { checkEnvironment, refuseOtherEnvironment } from '../environment/check-environment.js';
import { quietUntil } from '../lease/quiet-time.js';
import { takingOver } from '../push/taking-over.js';
import { withLeases, type RunLeases } from '../lease/with-leases.js';
import type { RunContext } from '../run-context.js';
import { timeoutOf } from '../run-settings.js';
import { whatEnded } from '../run/what-ended.js';
import { childOf } from './child-of.js';
import { createProbeLane } from './create-probe-lane.js';
import { desireSubject } from './desire-subject.js';
import { probeEnvironment } from './probe-environment.js';
import { probePlatform, type ProbeContext } from './probe-platform.js';
import { readSubjects, type NamedRecords } from './read-subjects.js';

export type ProbeOptions = Pick<ProbeContext, 'rules' | 'isReadable'> & {
  readonly named: NamedRecords;
  /** Never shown and never stored, wherever the platform repeats them. */
  readonly secrets: readonly string[];
};

export interface ProbeResult {
  readonly checks: readonly CheckedAssumption[];
  readonly exitCode: number;
  /** The platform may hold the parent without a field that was left out. */
  readonly unfinished: boolean;
  /** Another process sends; nothing was done. */
  readonly heldBy: LeaseHolder | null;
}

/**
 * First contact with the platform, with records that the operator named. Under both leases, because it publishes the
 * records as a sweep does and sends them as a push does: whatever ends it, the ledger knows what the platform may hold,
 * and the next run goes on from there. Stores what was seen. Errors: SyncError `usage`, `environment-changed`,
 * `lease-lost`; those of source and state database.
 */
export async function runProbe(context: RunContext, options: ProbeOptions): Promise<ProbeResult> {
  await refuseOtherEnvironment(context);
  const held = await withLeases(context, (leases, signal) =>
    probeUnderLeases({ ...context, signal }, leases, options),
  );
  if ('result' in held) return held.result;
  const { name, holder, secondsLeft } = held.heldBy;
  const own = holder === context.holder;
  context.emit({ type: 'lease-taken', lease: name, holder, secondsLeft, own });
  return { ...withoutRequests(options, 'another process is sending', ERROR_CODES.busy), heldBy: held.heldBy };
}

async function probeUnderLeases(
  context: RunContext,
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
  await leases.push.fenced((fence) =>
    state.queue.takeOver(
      fence,
      null,
      takingOver(context.entities, (entity) => timeoutOf(settings, entity)),
    ),
  );
  // Not before: an address or a client that is wrong must not become the ledger's.
  const beforePuts = async () => {
    await checkEnvironment(context);
    await desireSubject(state, leases.sweep, subjects.parent);
    if (subjects.child) await desireSubject(state, leases.sweep, subjects.child);
  };
  const rateLimit = context.rateLimit(area, quietUntil(leases.push, clock));
  const lane = createProbeLane(context, area, rateLimit);
  const ran = await probePlatform({ ...context, ...options, lane, lease: leases.push, beforePuts }, subjects);
  const checks = judgeProbe(ran.seen, secrets);
  await state.observations.save(probeEnvironment(settings, area), checks);
  const cause = whatEnded(signal);
  if (cause) throw cause;
  const exitCode = signal.aborted ? ERROR_CODES.interrupted : probeExitCode(checks, ran.end);
  return { checks, exitCode, unfinished: !ran.whole, heldBy: null };
}

/** Of a run with invalid records. */
const INVALID = 3;

/** The result of a probe that could not begin. Pure. */
export function withoutRequests(
  { rules, named, secrets }: ProbeOptions,
  because: string,
  exitCode: number,
): ProbeResult {
  const child = named.child && childOf(named.child.entity);
  const checks = judgeProbe({ ...emptySeen(rules, child), ended: because }, secrets);
  return { checks, exitCode, unfinished: false, heldBy: null };
}
