import type { EntityName } from '../../core/domain/names.js';
import type { EntityReport } from '../../core/domain/outcome.js';
import type { RunEnding } from '../../core/domain/run-ending.js';
import { grouped, listed, plural, withFullStop } from '../../core/domain/text.js';
import { isUnread, stopsArea } from '../../core/domain/trouble/find-troubles.js';
import { codeText } from './consequences.js';
import { TROUBLE_TEXTS } from './describe-trouble.js';

type Failure = NonNullable<EntityReport['error']>;

/**
 * Why a run ended as it did, in one or two sentences; null: it has not ended. `toCorrect`: records that need
 * correction; left out: their number is not known.
 */
export function describeEnding(run: RunEnding, toCorrect?: number): string | null {
  const { outcome, exitCode, error } = run;
  if (outcome === null) return null;
  if (exitCode === 5) return `Stopped: ${stopsOf(run).join('; ')}. ${left(run)}`.trim();
  if (outcome === 'aborted')
    return `${error ? withFullStop(error.message) : 'Stopped by a signal.'} ${left(run)}`.trim();
  if (exitCode === 1) return failed(run);
  if (exitCode === 4) return `Done. A guard holds ${listed(heldOf(run)) || 'an entity'}.`;
  if (exitCode === 3)
    return `Done. ${records(toCorrect)} ${plural(toCorrect ?? 0, 'needs', 'need')} correction.`;
  if (outcome === 'partial') return 'Done. A later run sends the rest.';
  return outcome === 'complete' ? 'Complete.' : withFullStop(outcome);
}

function failed(run: RunEnding): string {
  const unread = new Map<string, EntityName[]>();
  for (const [name, { error }] of Object.entries(run.entities)) {
    if (!error || !isUnread(error)) continue;
    // The error itself may be long; whoever shows the sentence shows it too.
    const why = codeText(TROUBLE_TEXTS.en.errorCodes, error.code) ?? withFullStop(error.message);
    unread.set(why, [...(unread.get(why) ?? []), name]);
  }
  const reasons = run.error
    ? [withFullStop(run.error.message)]
    : [...unread].map(([why, names]) => `${listed(names)} could not be read. ${why}`);
  const stops = stopsOf(run);
  return [
    ...(reasons.length === 0 ? ['Failed.'] : reasons.map((reason) => `Failed: ${reason}`)),
    ...(stops.length === 0 ? [] : [`Sending stopped, too: ${stops.join('; ')}.`]),
  ].join(' ');
}

/** Why areas were stopped, each reason once. The error of an area is on each of its entities. */
function stopsOf({ entities }: RunEnding): string[] {
  const errors = Object.values(entities).flatMap(({ error }) =>
    error && stopsArea(error.code) ? [stopReason(error)] : [],
  );
  return [...new Set(errors)];
}

function stopReason({ code, message }: Failure): string {
  const status = /\bHTTP \d{3}\b/.exec(message)?.[0];
  const beside = status === undefined ? '' : ` (${status})`;
  // From the edge in front of the platform, or from a page of maintenance.
  if (/\bHTTP \d{3}: a web page\b/.test(message))
    return `a web page answered in place of the platform${beside}`;
  if (code === 'authentication-refused') return `the platform refused our credentials${beside}`;
  if (code === 'reply-not-understood') return `the platform's replies are not understood${beside}`;
  if (code === 'request-refused') return `the platform refuses the way of asking${beside}`;
  if (code === 'same-refusal') return `the platform refuses everything for the same reason${beside}`;
  if (code === 'redirected') return `the platform answered with a redirect${beside}`;
  if (code === 'long-pause') return `the platform asked to wait: ${withoutStop(message)}`;
  return withoutStop(message).replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

function heldOf({ entities }: RunEnding): EntityName[] {
  return Object.entries(entities).flatMap(([name, { held }]) => (held ? [name] : []));
}

/** `6 records are waiting to be sent, 10 for their parents.` */
function left({ entities }: RunEnding): string {
  const sum = (of: (report: RunEnding['entities'][EntityName]) => number) =>
    Object.values(entities).reduce((total, report) => total + of(report), 0);
  const count = sum(({ pending, deferred }) => pending + deferred);
  const parents = sum(({ waiting }) => waiting);
  if (count === 0)
    return parents === 0
      ? ''
      : `${records(parents)} ${plural(parents, 'waits for its parent', 'wait for their parents')}.`;
  const behind = parents === 0 ? '' : `, ${grouped(parents)} more for their parents`;
  return `${records(count)} ${plural(count, 'is', 'are')} waiting to be sent${behind}.`;
}

function records(count: number | undefined): string {
  if (count === undefined || count === 0) return 'Some records';
  return plural(count, 'One record', `${grouped(count)} records`);
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}
