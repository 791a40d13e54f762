import type { AdapterJudgement } from '../../contract/adapter.js';
import type { JudgeContext } from './reply-rules.js';
import { type Answer, type Judgement, type NoReply, oneLine } from './reply.js';

/**
 * What the partner's adapter says, in the words of the program: its judgement of a reply (`judgeAdapted`), and that it
 * failed (`adapterFailed`). Each judgement says that the adapter decided.
 */

type Verdict<Kind extends string> = Extract<AdapterJudgement, Readonly<Record<Kind, unknown>>>;

export function judgeAdapted(reply: Answer, verdict: AdapterJudgement, context: JudgeContext): Judgement {
  return { ...judge(reply, verdict, context), adapter: true };
}

function judge(reply: Answer, verdict: AdapterJudgement, { method, takenDown }: JudgeContext): Judgement {
  const { status: statusCode } = reply;
  if ('accepted' in verdict) return accepted(reply, verdict.accepted, method);
  if ('found' in verdict) return { ...ACCEPTED, statusCode };
  if ('missing' in verdict) {
    // Its end is what was desired.
    if (method === 'DELETE' || takenDown === true) return { ...ACCEPTED, statusCode };
    return { kind: 'refused', statusCode, message: 'the platform has no such record', missing: true };
  }
  if ('rejected' in verdict) return { kind: 'refused', statusCode, message: words(verdict.rejected) };
  if ('stop' in verdict) {
    const message = oneLine(verdict.stop.message);
    return { kind: 'stopped', code: 'request-refused', statusCode, message, hint: STOPPED };
  }
  const { message, afterMs } = verdict.retry;
  // A refusal has changed nothing; whatever else it is, the platform may have taken the record.
  const known = statusCode >= 400 && statusCode < 500;
  if (afterMs === undefined)
    return { kind: 'deferred', known, reached: true, statusCode, message: oneLine(message) };
  return { kind: 'paused', known, delayMs: afterMs, statusCode, message: oneLine(message) };
}

const ACCEPTED = { kind: 'accepted', reference: null, remoteId: null, details: null } as const;

const STOPPED = 'The adapter stops the area (platform.adapter, function reply). Every record stays pending.';

function accepted(
  { status: statusCode, links, result }: Answer,
  { state }: Verdict<'accepted'>['accepted'],
  method: JudgeContext['method'],
): Judgement {
  const { id: remoteId = null, reference = null } = (method === 'PUT' ? (result ?? links) : null) ?? {};
  if (method === 'PUT' && links?.gap)
    return {
      kind: 'not-understood',
      statusCode,
      message: `HTTP ${statusCode}: the adapter accepts the record and gives no reference, which its children need`,
      hint: 'Let reply of platform.adapter give { accepted: { reference } }.',
    };
  // Children name it by a number where the platform gave one.
  const details = typeof reference === 'number' ? { reference } : null;
  const told = state === undefined ? {} : { state };
  return { kind: 'accepted', reference, remoteId, details, statusCode, ...told };
}

/** Single fields first: the general sentence is the same for every refusal. */
function words({ message, fields = {} }: Verdict<'rejected'>['rejected']): string {
  const each = Object.entries(fields).map(([field, texts]) => `${field}: ${texts.join(' ')}`);
  return oneLine([...(each.length === 0 ? [] : [`${each.join('; ')}.`]), message].join(' '));
}

/** Nothing was judged. What was sent may have been processed. */
export function adapterFailed({ kind, message }: NoReply): Judgement {
  return {
    kind: 'stopped',
    code: 'adapter-failed',
    statusCode: null,
    message: `The adapter failed: ${message}`,
    hint: 'Correct the module that platform.adapter names; `config check` loads it. Nothing is lost: every record stays pending.',
    adapter: true,
    ...(kind === 'silent' ? { known: false as const } : {}),
  };
}
