import { fitsJudgement } from './fits-judgement.js';
import { REPLY_RULES, type ReplyMeaning, type ReplyRule } from './reply-rules.js';
import type { ConfiguredJudgement, ReplySettings } from './reply-settings.js';
import type { Answer } from './reply.js';

/** Where a rule of the configuration comes from. */
export const CONFIGURED_SOURCE = '`platform.replies.judge`';

/** The whole table by which replies of an area are judged: the rows of its configuration, then the built-in ones. Pure. */
export function configuredRules(settings: Pick<ReplySettings, 'judge'> | undefined): readonly ReplyRule[] {
  const rows = settings?.judge ?? [];
  return rows.length === 0 ? REPLY_RULES : [...rows.map(ruleOf), ...REPLY_RULES];
}

function ruleOf({ status, match, as }: ConfiguredJudgement): ReplyRule {
  return {
    on: [status, status],
    ...(match === undefined
      ? {}
      : {
          when: {
            text: `“${match}” in the body`,
            holds: (answer: Answer) => fitsJudgement({ status, match }, answer),
          },
        }),
    as: meaningOf(as, status),
    source: CONFIGURED_SOURCE,
  };
}

function meaningOf(as: ConfiguredJudgement['as'], status: number): ReplyMeaning {
  if (as === 'rejected') return 'refused';
  // Only a 4xx says that the request was not carried out.
  if (as === 'deferred') return status >= 400 && status <= 499 ? 'deferred' : 'deferred-unknown';
  return as;
}
