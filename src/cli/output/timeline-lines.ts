import { platformTimestamp } from '../../contract/time.js';
import { withoutStatus } from '../../domain/reply/reply.js';
import type { TimelineEntry } from '../../sync/explain/explain-record.js';

/** Requests that are listed; `--json` has all. */
const LISTED = 20;

/** The latest requests about a record, one line each, the oldest first. Pure. */
export function timelineLines(timeline: readonly TimelineEntry[], timeZone: string): readonly string[] {
  if (timeline.length === 0) return ['  none'];
  const earlier = timeline.length - LISTED;
  return [
    ...(earlier > 0 ? [`  … ${earlier} earlier ones; --json has them`] : []),
    ...timeline.slice(-LISTED).map(({ answeredAt, operation, outcome, statusCode, reason, requestId }) => {
      const reply = statusCode === null ? 'no reply' : `HTTP ${statusCode}`;
      const said = withoutStatus(reason, statusCode);
      const why = said === null ? '' : `: ${said}`;
      return `  ${platformTimestamp(Date.parse(answeredAt), timeZone)}  ${operation} ${outcome}, ${reply}${why} (request ${requestId})`;
    }),
  ];
}
