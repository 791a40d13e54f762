import { z } from 'zod';
import {
  CONFIGURED_MEANINGS,
  DEFAULT_ACCEPTED,
  DEFAULT_DATA,
  PLATFORM_ID,
  WHOLE_REPLY,
} from '../../domain/reply/reply.js';
import { choice, text, wholeNumber } from '../setting-types.js';

const STATUS = 'an HTTP status';

/** Statuses that say: done. Only of the 2xx, because others have a meaning that nothing may hide. */
export function acceptedStatuses() {
  return z
    .array(wholeNumber({ min: 200, max: 299 }))
    .min(1, 'must name at least one status')
    .meta({ type: 'a list of HTTP statuses from 200 to 299' });
}

const judged = z
  .strictObject({
    status: wholeNumber({ min: 200, max: 599 }).meta({ type: STATUS }),
    match: text().optional(),
    as: choice(CONFIGURED_MEANINGS),
  })
  .meta({ type: 'a block { status, match, as }' });

/** How replies are read. */
export const replySettings = z.strictObject({
  accepted: acceptedStatuses()
    .default([...DEFAULT_ACCEPTED])
    .meta({
      description:
        'Statuses that mean that the platform took a record. One of them may come without a body only if `platform.operations.<name>.accepted` names it.',
    }),
  data: z
    .string()
    .regex(/^(?:\.|[^.\s]+(?:\.[^.\s]+)*)$/, 'must be a field, a dotted path such as payload.record, or "."')
    .default(DEFAULT_DATA)
    .meta({
      type: 'a field, a dotted path, or "."',
      description: `Where the result is in a reply, as a dotted path; a number counts in a list, such as \`data.0\`. \`${WHOLE_REPLY}\`: the reply itself is the result. It counts for Puts and for Finds; what it names is then called \`data\` in all messages.`,
    }),
  reference: text('a field')
    .default('reference')
    .meta({
      description: `The field of the reply’s \`data\` that links children to a company or an institution, as a dotted path; \`${PLATFORM_ID}\`: children name the id of the path instead.`,
    }),
  judge: z.array(judged).default([]).meta({
    type: 'a list of { status, match, as }',
    description:
      'What a reply means, before the built-in rules: its `status`, a text that its body must contain (`match`; without it every body fits), and `as`: authentication-refused, rejected, deferred, accepted or missing (the platform has no such record). The first that fits counts.',
  }),
});
