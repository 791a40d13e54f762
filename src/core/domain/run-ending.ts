import type { EntityName } from './names.js';
import type { EntityReport } from './outcome.js';
import { grouped, listed, plural, withFullStop } from './text.js';
import { codeText } from '../../features/troubles/consequences.js';
import { TROUBLE_TEXTS } from '../../features/troubles/describe-trouble.js';
import { isUnread, stopsArea } from './trouble/find-troubles.js';
import { type Trouble, TROUBLE_KINDS } from './trouble/trouble.js';

/**
 * How a run ended: the verdict on its troubles (`runVerdict`), and the same in words (`describeEnding`).
 */

type Failure = NonNullable<EntityReport['error']>;

/** How a run ended, as it is stored. */
export interface RunEnding {
  /** Null: it is under way. */
  readonly outcome: string | null;
  readonly exitCode: number | null;
  /** What ended the whole run early. */
  readonly error: Failure | null;
  readonly entities: Readonly<
    Record<EntityName, Pick<EntityReport, 'error' | 'held' | 'waiting' | 'pending' | 'deferred'>>
  >;
}

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
  if (exitCode === 4) return `Finished. A guard holds ${listed(heldOf(run)) || 'an entity'}.`;
  if (exitCode === 3)
    return `Finished. ${records(toCorrect)} ${plural(toCorrect ?? 0, 'needs', 'need')} correction.`;
  if (outcome === 'partial') return 'Finished. A later run sends the rest.';
  return outcome === 'complete' ? 'Complete.' : withFullStop(outcome);
}

/** The error that decided how the run ended: its own, or that of an entity or an area. Null: none did. */
export function decidingError({ exitCode, error, entities }: RunEnding): Failure | null {
  if (error || (exitCode !== 1 && exitCode !== 5)) return error;
  const errors = Object.values(entities).flatMap((report) => report.error ?? []);
  return errors.find(({ code }) => stopsArea(code) === (exitCode === 5)) ?? null;
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

export type RunOutcome = 'complete' | 'partial' | 'held' | 'aborted' | 'failed' | 'busy';

/** Exit codes, the most important first (docs/reference/codes.md). */
const WORST_FIRST = [1, 5, 4, 3] as const;

const OUTCOMES = { 1: 'failed', 5: 'aborted', 4: 'held', 3: 'partial' } as const;

/**
 * Exit code and outcome of a run that ends with these troubles; of several the first of 1, 5, 4, 3, 0. `leftOver`:
 * records that a later run sends, deferred, pending or waiting.
 */
export function runVerdict(
  troubles: readonly Trouble[],
  leftOver: boolean,
): { readonly exitCode: number; readonly outcome: RunOutcome } {
  // A signal explains everything else that is incomplete.
  if (troubles.some(({ kind }) => kind === 'interrupted')) return { exitCode: 1, outcome: 'aborted' };
  const codes = troubles.map(exitCodeOf);
  const worst = WORST_FIRST.find((code) => codes.includes(code));
  if (worst !== undefined) return { exitCode: worst, outcome: OUTCOMES[worst] };
  return { exitCode: 0, outcome: leftOver ? 'partial' : 'complete' };
}

function exitCodeOf(trouble: Trouble): number {
  return trouble.kind === 'blocked' && trouble.parentKeptBack ? 0 : TROUBLE_KINDS[trouble.kind].exitCode;
}
