// @ts-check
import { timingSafeEqual } from 'node:crypto';

/**
 * Webhooks in a wrapper, { "events": [{ "type": "application", "data": { … } }] }, signed with the time as Unix seconds in a
 * header of its own; before the first one the platform sends { "challenge": "…" }, which has to come back.
 *
 * @type {import('placement-sync/adapter').Adapter}
 */
export default {
  webhook({ headers, body }, { secrets, now, hmac }) {
    const time = headers['x-time'] ?? '';
    const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
    const given = Buffer.from(headers['x-signature'] ?? '', 'hex');
    const isOurs = secrets.some((secret) => {
      const expected = hmac('sha256', secret, signed);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isOurs) return { refuse: 'X-Signature is not valid' };
    if (Math.abs(now.getTime() / 1_000 - Number(time)) > 300)
      return { refuse: 'X-Time is too far from the time here' };
    const sent = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof sent.challenge === 'string') return { answer: { status: 200, body: sent.challenge } };
    /** @type {{ type: string, data: unknown }[]} */
    const events = sent.events;
    return { events: events.filter(({ type }) => type === 'application').map(({ data }) => data) };
  },
};
