import type { Area } from '../area.js';
import type { EntityName } from '../entity-name.js';
import type { Hold, PushHold } from '../guard/hold.js';
import type { Finding } from './finding.js';

/** What the state says of one entity. */
export interface EntityFacts {
  readonly entity: EntityName;
  readonly hold: Hold | null;
  readonly pushHold: PushHold | null;
  readonly lastSuccessAt: Date | null;
  /** Code of what went wrong with it in the last run; null: nothing, or not known. */
  readonly lastErrorCode: string | null;
}

/** What the replies of an area said of our authentication; an area that was not sent to is not named. */
export type AreaEvidence = ReadonlyMap<Area, { readonly refused: { readonly cause: string } | null }>;

const AREA_NAMES: Readonly<Record<Area, string>> = { jobs: 'job-placement area', training: 'training area' };

/** What an entity's state says of being held and of being stale. Pure; no keys and no words of others are taken over. */
export function entityFindings(facts: EntityFacts, staleAfterMs: number): Finding[] {
  const { entity: subject, hold, pushHold, lastSuccessAt } = facts;
  const held = pushHold
    ? {
        since: new Date(pushHold.since),
        afterMs: 0,
        reason: `The platform refused ${pushHold.refused} records of ${subject} in a row and accepted none; nothing more of it is sent.`,
        help: `See which with: placement-sync status, and why with: placement-sync explain ${subject} KEY. Mend the query or lookups, or go on with: placement-sync approve ${subject}`,
      }
    : hold && {
        since: new Date(hold.since),
        afterMs: 0,
        reason: `${hold.message} Nothing of the sweep was applied.`,
        help: `See what it would change with: placement-sync plan --entity ${subject}. Mend the source, or permit it with: placement-sync approve ${subject}`,
      };
  return [
    { trouble: 'held', subject, found: held },
    {
      trouble: 'stale',
      subject,
      found: {
        since: lastSuccessAt,
        afterMs: staleAfterMs,
        reason: staleReason(facts),
        help: staleHelp(facts),
      },
    },
  ];
}

/** What the replies of the areas say of our authentication. Pure. */
export function areaFindings(evidence: AreaEvidence): Finding[] {
  return [...evidence].map(([area, { refused }]) => ({
    trouble: 'auth-refused' as const,
    subject: area,
    found: refused && {
      since: null,
      afterMs: 0,
      reason: `The platform refused our authentication in the ${AREA_NAMES[area]} (401 or 403); nothing is sent there, and all of it stays pending.`,
      help: `${refused.cause} To try again: placement-sync run`,
    },
  }));
}

function staleReason({ entity, lastSuccessAt, hold, pushHold, lastErrorCode }: EntityFacts): string {
  const last =
    lastSuccessAt === null
      ? `${entity} has never been in step since the first look at it.`
      : `${entity} was last in step at ${lastSuccessAt.toISOString()}.`;
  if (hold ?? pushHold) return `${last} It is held.`;
  return lastErrorCode === null ? last : `${last} What went wrong last: ${lastErrorCode}.`;
}

function staleHelp({ entity, hold, pushHold, lastErrorCode }: EntityFacts): string {
  if (hold ?? pushHold) return `Mend what holds it, or: placement-sync approve ${entity}`;
  const look = 'See what is left to send with: placement-sync status';
  return lastErrorCode === null ? look : `The log says more, and so does: placement-sync run. ${look}`;
}
