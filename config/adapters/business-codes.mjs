// @ts-check
/**
 * A platform that answers everything with HTTP 200 and says in a code of its own how it went:
 * { "code": "00", "payload": { … } }, "14" for an unknown record, "30" for one that it does not take, "91" when it is busy.
 *
 * @type {import('placement-sync/adapter').Adapter}
 */
export default {
  reply({ json }, { operation }) {
    const { code, note = '', payload = {} } = /** @type {any} */ (json) ?? {};
    if (code === undefined) return undefined;
    if (code === '14') return { missing: true };
    if (code === '30') return { rejected: { message: note } };
    if (code === '91') return { retry: { message: note, afterMs: 1_000 } };
    if (code !== '00') return { stop: { message: `code ${code}: ${note}` } };
    if (operation.startsWith('find')) return { found: payload };
    return { accepted: { id: payload.id, reference: payload.reference } };
  },
};
