import { clockSkew, describeClockSkew } from '../../../domain/reply/reply.js';
import { judgeReply } from '../../../domain/reply/judge-reply.js';
import { generalCheck } from '../check.js';
import type { AreaFacts, TriedFind } from '../facts.js';
import { fail, pass, undone, warn, type Verdict } from '../finding.js';

export const credentials = generalCheck({
  id: 'credentials',
  levels: ['warn', 'fail'],
  looksAt:
    'whether the platform accepts the signature: one signed Find of each kind with an id that nobody has, which changes nothing',
  remedy:
    'Check `clientId`, `clientSecret`, `signature` and the clock. `placement-sync sign` shows the string that is signed.',
  judge: ({ areas }) => [
    ...areas.flatMap((area) =>
      area.untried === null ? area.finds.map((tried) => judgeFind(area, tried)) : [],
    ),
    ...untriedVerdict(areas),
  ],
});

/** One for all areas; the checks `platform` and `platform-clock` then say nothing. */
function untriedVerdict(areas: readonly AreaFacts[]): readonly Verdict[] {
  const causes = areas.flatMap(({ area, untried }) => (untried === null ? [] : [`${area}: ${untried}`]));
  return causes.length === 0 ? [] : [undone(causes.join('; '))];
}

function judgeFind({ area, rules }: AreaFacts, { operation, reply }: TriedFind): Verdict {
  const name = `${area}, ${operation}`;
  if (reply.kind !== 'answered') return undone(`${name}: no reply (${reply.code})`);
  const judgement = judgeReply(reply, { method: 'GET', now: reply.receivedAt }, rules);
  const { status, html, date, receivedAt } = reply;
  if (judgement.kind === 'stopped') {
    const skew = describeClockSkew(clockSkew(date, receivedAt));
    const cause = skew === null ? '' : `; ${skew}`;
    return fail(`${name}: the platform refused the request (HTTP ${status})${cause}`, judgement.hint);
  }
  if (status === 404 && !html) return pass(`${name}: signature accepted, no such record (HTTP 404)`);
  if (html) {
    return warn(
      `${name}: a web page answered (HTTP ${status}): something in front of the platform`,
      `Check platform.${area}.baseUrl and the paths in platform.operations.`,
    );
  }
  if (judgement.kind === 'accepted')
    return warn(
      `${name}: the platform answered with a record for an id that nobody has (HTTP ${status})`,
      'Read-backs (verify, adopt) cannot be trusted there. placement-sync probe shows more.',
    );
  return warn(
    `${name}: the platform answered HTTP ${status} to a Find of an unknown id`,
    'placement-sync probe shows what this platform does otherwise, and the setting for it.',
  );
}
