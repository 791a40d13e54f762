import { uuidText } from '../domain/key.js';
import type { EntityName } from '../domain/names.js';
import type { Delivery } from '../domain/delivery.js';
import { isAboutApplications } from '../entities/index.js';
import type { Fence } from '../ports/clock.js';
import type { Statements } from './database/state-database.js';
import { withoutParticulars } from './database/translate-state-error.js';
import { fenceParameters, heldLeaseSql } from './lease.js';
import { isOfPerson } from './status-sql.js';
import type { Outcome } from './queue/types.js';

/**
 * The journal: one row for each request about a record, as proof of reporting. A push hands its outcomes over
 * (`finishedRequests`) and `appendDeliveries` writes them, in the transaction that writes the outcomes.
 */

/** A finished request before it is in the journal: with the platform's own words. */
export interface FinishedRequest extends Omit<Delivery, 'entity' | 'runId' | 'claimedAt' | 'answeredAt'> {
  readonly entity: EntityName;
  /** As Postgres wrote it. */
  readonly claimedAt: string;
  /** The partner's adapter decided the outcome. */
  readonly adapter?: true | undefined;
}

/** How the reason of an outcome begins that the partner's adapter decided. */
const BY_ADAPTER = 'Decided by the adapter';

/** Longest reason, characters. */
const LONGEST = 300;

/**
 * Adds requests to the journal, in the transaction that writes their outcomes and before it does. A request counts while
 * the push lease is held, whatever became of its claim: a resend request ends a claim, but not the request. After the
 * lease is lost only a claim that is still ours counts: another process may have noted the others as `unknown`. A request
 * about an application counts only while the ledger has its record: an erased person does not come back with a reply.
 *
 * Nothing personal is kept: of the platform's words about a record quoted values,
 * addresses, ids and long numbers are left out, and of those about an application all.
 */
export async function appendDeliveries(
  statements: Statements,
  { fence, runId }: { readonly fence: Fence; readonly runId: string | null },
  requests: readonly FinishedRequest[],
): Promise<void> {
  const rows = requests.flatMap((request) => {
    const { entity } = request;
    const requestId = uuidText(request.requestId);
    if (requestId === null) return [];
    const words = isAboutApplications(entity) ? null : request.reason;
    const reason = request.adapter ? [BY_ADAPTER, words].filter((part) => part !== null).join(': ') : words;
    return [{ ...request, requestId, reason }];
  });
  if (rows.length === 0) return;
  await statements.query(
    `insert into :schema:.delivery (entity, key, platform_id, parent_platform_id, kind, operation, request_id,
       payload_hash, run_id, claimed_at, answered_at, status_code, outcome, reason)
     select r."entity", r."key", r."platformId", r."parentPlatformId", r."kind", r."operation", r."requestId",
       r."payloadHash", cast(:runId as uuid), r."claimedAt", now(), r."statusCode", r."outcome",
       left(${withoutParticulars('r."reason"')}, ${LONGEST})
     from jsonb_to_recordset(cast(:rows as jsonb)) as r("entity" text, "key" text, "platformId" uuid,
       "parentPlatformId" uuid, "kind" text, "operation" text, "requestId" uuid, "payloadHash" text,
       "claimedAt" timestamptz, "statusCode" integer, "outcome" text, "reason" text)
     where (not (${isOfPerson('r')}) or exists (select 1 from :schema:.sync_state s
         where s.entity = r."entity" and s.platform_id = r."platformId"))
       and (exists (select 1 from :schema:.lease where ${heldLeaseSql('push')})
       or exists (select 1 from :schema:.sync_state s
         where s.entity = r."entity" and s.key = r."key" and s.last_request_id = cast(r."requestId" as text)
           and s.claim_token = :token and s.claim_nonce = :nonce))
     on conflict do nothing`,
    { ...fenceParameters(fence), runId, rows: JSON.stringify(rows) },
  );
}

/** What the journal has of outcomes: nothing of a claim that was handed back unsent. */
export function finishedRequests(outcomes: readonly Outcome[]): readonly FinishedRequest[] {
  return outcomes.flatMap((outcome) => {
    const { entity, key, requestId, sent, adapter } = outcome;
    return sent === undefined ? [] : [{ entity, key, requestId, adapter, ...sent, ...endingOf(outcome) }];
  });
}

/** What the journal notes of a control. */
const CONTROL = 'Control: sent again unchanged, to see whether others pass';

type Ending = Pick<FinishedRequest, 'outcome' | 'statusCode' | 'reason'>;

/** A record that used up its attempts is rejected, but its last request failed like those before. */
function endingOf(outcome: Outcome): Ending {
  const { kind, control } = outcome;
  if (kind === 'accepted')
    return { outcome: kind, statusCode: outcome.statusCode, reason: control ? CONTROL : null };
  if (kind === 'handed-back') {
    const { statusCode = null, error = null } = outcome.reply ?? {};
    const reason = control ? `${CONTROL}: ${error ?? 'nothing said'}` : error;
    return { outcome: kind, statusCode, reason };
  }
  return {
    outcome: kind === 'refused' ? 'rejected' : 'deferred',
    statusCode: outcome.statusCode,
    reason: outcome.error,
  };
}
