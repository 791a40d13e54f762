import { issueText } from '../../domain/issue.js';
import type { Explanation } from '../../sync/explain/explain-record.js';
import { withLocalTimes } from './local-time.js';
import { say } from './write.js';

/** Everything about one record, for people. `timeZone`: of its times. */
export function printExplanation(explanation: Explanation, timeZone: string): void {
  const { entity, key, status, reason, row, payload, issues, lastReply, waitsFor } = explanation;
  const lines = [
    `${entity} ${key} is ${status}`,
    `  ${withLocalTimes(reason, timeZone)}`,
    '',
    section('Row', row),
    ...(issues.length > 0
      ? [
          'Issues',
          ...issues.map((issue) => `  ${issueText(issue)}${issue.hint ? `\n    → ${issue.hint}` : ''}`),
        ]
      : []),
    section('Payload', payload),
    'Ledger',
    ...facts({
      'platform id': explanation.platformId,
      reference: explanation.reference,
      'desired hash': explanation.desiredHash,
      'acknowledged hash': explanation.acknowledgedHash,
      attempts: explanation.attempts,
      'next attempt': explanation.nextAttemptAt && withLocalTimes(explanation.nextAttemptAt, timeZone),
      'waits for':
        waitsFor && `${waitsFor.entity} ${waitsFor.key ?? waitsFor.platformId}: ${waitsFor.reason}`,
      'last reply':
        lastReply &&
        `${lastReply.statusCode ?? 'none'}${lastReply.error ? `, ${lastReply.error}` : ''} (request ${lastReply.requestId ?? 'unknown'})`,
    }),
  ];
  say(lines.filter((line) => line !== null).join('\n'));
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
