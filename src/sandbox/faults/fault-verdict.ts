import type { FaultRule } from '../../config/faults/fault-schema.js';
import { invalidFields, refusal } from '../answer.js';
import type { Verdict } from '../verdict.js';

const PAGE = `<!doctype html>
<html><head><title>Access denied</title></head><body><h1>Access denied</h1><p>Reference 18.0</p></body></html>
`;

/**
 * What a fault does to one request. Latency and clock are not answers, so they have no verdict. Pure.
 * @param nowMs the sandbox's clock, for Retry-After as a date
 */
export function faultVerdict(rule: FaultRule, nowMs: number): Verdict {
  switch (rule.fault) {
    case 'latency':
    case 'clock-offset':
      return {};
    case 'retry-after': {
      const { status, after, form } = rule;
      const body = { message: status === 429 ? 'Too Many Attempts.' : 'Service Unavailable' };
      const seconds = Math.ceil(after / 1000);
      // A date has no fractions either: rounded up, so that the wait is never shorter than asked for.
      const date = new Date(Math.ceil((nowMs + after) / 1000) * 1000).toUTCString();
      return { status, body, headers: { 'retry-after': form === 'date' ? date : String(seconds) } };
    }
    case 'server-error': {
      const { status, json, applied } = rule;
      return { status, body: json ? { message: 'Server Error' } : 'upstream failure', apply: applied };
    }
    case 'no-reply':
      return { silent: true, apply: rule.applied };
    case 'drop-before':
      return { drop: 'before' };
    case 'drop-after':
      return { drop: 'after' };
    case 'apply-late':
      return { drop: 'before', applyAfterDropMs: rule.after };
    case 'slow-body':
      return { delivery: { kind: 'slow', overMs: rule.over } };
    case 'truncated-reply':
      return {
        delivery: { kind: 'cut', keptShare: rule.keepPercent / 100, announced: rule.length },
      };
    case 'html':
      return { status: rule.status, body: PAGE, apply: rule.applied };
    case 'wrong-envelope':
      return {
        status: 200,
        body: JSON.stringify(rule.body),
        headers: { 'content-type': 'application/json' },
        apply: rule.applied,
      };
    case 'signature-refused':
      return { status: 401, body: refusal(401, 'Signature is not valid').body };
    case 'duplicate-request-id':
      return { status: 409, body: refusal(409, 'Request-Id was used before').body };
    case 'fields-refused': {
      const problems = Object.entries(rule.fields).map(([field, message]) => ({ field, message }));
      return { status: 422, body: invalidFields(problems).body };
    }
  }
}
