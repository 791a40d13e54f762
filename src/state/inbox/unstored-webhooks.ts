import { SyncError } from '../../domain/errors.js';
import type { ReceivedWebhook, UnstoredWebhook } from '../../ports/inbox.js';
import type { Statements } from '../database/state-database.js';
import { deliveryHash } from './delivery-hash.js';
import { vacancyKeySql } from './vacancy-key-sql.js';

/** Longest reason that is kept, characters. */
const LONGEST = 500;

/** The same webhook has the same name when it comes again; it has nothing of the applicant. */
function nameOf(webhook: ReceivedWebhook): string {
  return webhook.application.applicationId ?? deliveryHash(webhook);
}

/**
 * Notes that the database refused to store a webhook, so that people see what is missing. Does nothing when the database
 * cannot be reached or refuses this too: the log has it, and the sender must not wait longer. `error`: without values of
 * the applicant.
 */
export async function noteUnstored(
  statements: Statements,
  webhook: ReceivedWebhook,
  error: unknown,
): Promise<void> {
  if (!(error instanceof SyncError) || error.code !== 'state-failed') return;
  const { layout, jobId } = webhook.application;
  await statements
    .query(
      `insert into :schema:.unstored_webhook as u (webhook, layout, vacancy_key, reason)
       values (:name, :layout, ${vacancyKeySql('cast(:jobId as text)')}, :reason)
       on conflict (webhook) do update set last_at = excluded.last_at, attempts = u.attempts + 1, reason = excluded.reason`,
      { name: nameOf(webhook), layout, jobId, reason: error.message.slice(0, LONGEST) },
    )
    .catch(() => undefined);
}

/** It is stored now. */
export async function forgetUnstored(statements: Statements, webhook: ReceivedWebhook): Promise<void> {
  await statements.query('delete from :schema:.unstored_webhook where webhook = :name', {
    name: nameOf(webhook),
  });
}

export function listUnstored(statements: Statements, limit: number): Promise<UnstoredWebhook[]> {
  return statements.query<UnstoredWebhook>(
    `select layout, vacancy_key as "vacancyKey", first_at as "firstAt", last_at as "lastAt", attempts, reason
     from :schema:.unstored_webhook order by last_at desc, webhook limit :limit`,
    { limit },
  );
}
