// @ts-check
const STATES = /** @type {const} */ ({
  WAITING: 'pending',
  PUBLISHED: 'live',
  DECLINED: 'refused',
  TAKEN_DOWN: 'removed',
});

/**
 * A platform that takes a record with 202 and decides later. A Find shows in `moderation` what it decided, so let
 * `schedule.verify` ask.
 *
 * @type {import('placement-sync/adapter').Adapter}
 */
export default {
  reply({ status, json }, { operation }) {
    const data = /** @type {any} */ (json)?.data;
    if (data === undefined || data === null) return undefined;
    if (status === 202) return { accepted: { id: data.id, reference: data.reference, state: 'pending' } };
    const state = STATES[/** @type {keyof typeof STATES} */ (data.moderation)];
    return operation.startsWith('find') && status === 200 && state ? { found: data, state } : undefined;
  },
};
