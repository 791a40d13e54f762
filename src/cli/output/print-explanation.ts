import { platformTimestamp, withLocalTimes } from '../../core/contract/time.js';
import { type Issue, issueText } from '../../core/domain/issue.js';
import type { RecordEvent } from '../../features/report/report.js';
import { withoutStatus } from '../../core/domain/reply/reply.js';
import { visibleText } from '../../core/domain/text.js';
import type { Explanation, TimelineEntry } from '../../features/look/explain-record.js';
import type { FieldChange } from '../../core/domain/payload.js';
import { io } from '../io.js';
import { diffLine } from './print-plan.js';
import { say, widthOf, writeOut } from './write.js';

/**
 * Everything about one record, for people. `changes`: between what the platform accepted last and what is desired;
 * `timeZone`: in which times are shown.
 */
export function printExplanation(
  explanation: Explanation,
  changes: readonly FieldChange[],
  timeZone: string,
): void {
  const { entity, key, status, reason, row, payload, issues, lastReply, waitsFor } = explanation;
  const { warnings = [], atPlatform = null } = explanation;
  const said = lastReply && withoutStatus(lastReply.error, lastReply.statusCode);
  const lines = [
    `${entity} ${key} is ${status}`,
    `  ${withLocalTimes(reason, timeZone)}`,
    '',
    section('Row', row),
    ...(issues.length > 0 ? ['Issues', ...issues.map(withHint)] : []),
    ...(warnings.length > 0 ? ['Doubtful', ...warnings.map(withHint)] : []),
    section('Payload', payload),
    'Ledger',
    ...facts({
      'platform id': explanation.platformId,
      reference: explanation.reference,
      'desired hash': explanation.desiredHash,
      'acknowledged hash': explanation.acknowledgedHash,
      'at the platform':
        atPlatform &&
        `${atPlatform.state}${atPlatform.word === null ? '' : `, shown as "${atPlatform.word}"`}, since ${withLocalTimes(atPlatform.since, timeZone)}`,
      'looked at': explanation.lookedAt ? withLocalTimes(explanation.lookedAt, timeZone) : null,
      attempts: explanation.attempts,
      'next attempt': explanation.nextAttemptAt && withLocalTimes(explanation.nextAttemptAt, timeZone),
      'waits for':
        waitsFor && `${waitsFor.entity} ${waitsFor.key ?? waitsFor.platformId}: ${waitsFor.reason}`,
      'last reply':
        lastReply &&
        `${lastReply.statusCode ?? 'none'}${said ? `, ${said}` : ''} (request ${lastReply.requestId ?? 'unknown'})`,
      'its body': lastReply?.body ?? null,
    }),
    `Requests (times in ${timeZone})`,
    ...timelineLines(explanation.timeline, timeZone),
  ];
  say(lines.filter((line) => line !== null).join('\n'));
  writeChanges('Changed since it was accepted', changes);
  writeChanges('The row now, compared with the ledger', explanation.differs ?? []);
}

function writeChanges(title: string, changes: readonly FieldChange[]): void {
  if (changes.length > 0) say(title);
  for (const change of changes) {
    const line = diffLine(change, false, widthOf(io().stdout));
    if (line !== null) writeOut(visibleText(line));
  }
}

function withHint(issue: Issue): string {
  return `  ${issueText(issue)}${issue.hint ? `\n    → ${issue.hint}` : ''}`;
}

function section(title: string, value: object | null): string {
  if (value === null) return `${title}\n  none`;
  const text = JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `  ${line}`);
  return [title, ...text].join('\n');
}

function facts(values: Readonly<Record<string, string | number | null>>): string[] {
  return Object.entries(values).map(([name, value]) => `  ${name.padEnd(18)} ${value ?? '-'}`);
}

const LISTED = 20;

/** Of what the platform did not accept: it did not happen. */
const ATTEMPTS: Readonly<Record<RecordEvent, string>> = {
  opened: 'open',
  updated: 'update',
  closed: 'close',
  reopened: 'reopen',
  deleted: 'delete',
  seen: 'look',
};

/** The latest requests about a record, one line each, the oldest first. */
export function timelineLines(timeline: readonly TimelineEntry[], timeZone: string): readonly string[] {
  if (timeline.length === 0) return ['  none'];
  const earlier = timeline.length - LISTED;
  return [
    ...(earlier > 0 ? [`  … ${earlier} earlier ones; --json has them`] : []),
    ...timeline
      .slice(-LISTED)
      .map(({ event, answeredAt, operation, outcome, statusCode, reason, requestId }) => {
        const reply = statusCode === null ? 'no reply' : `HTTP ${statusCode}`;
        const said = withoutStatus(reason, statusCode);
        const why = said === null ? '' : `: ${said}`;
        return `  ${platformTimestamp(Date.parse(answeredAt), timeZone)}  ${outcome === 'accepted' ? event : ATTEMPTS[event]}: ${operation} ${outcome}, ${reply}${why} (request ${requestId})`;
      }),
  ];
}
