// @ts-check
/**
 * A platform with another form of errors: { "fault": { "reason": "…", "where": [{ "at": "region.id", "why": "…" }] } }.
 * Its 409 says that a record is refused for good; the interface does not say what a 409 means.
 *
 * @type {import('placement-sync/adapter').Adapter}
 */
export default {
  reply({ status, json }) {
    const fault = /** @type {any} */ (json)?.fault;
    if (fault === undefined) return undefined;
    if (status !== 409 && status !== 422) return undefined;
    /** @type {{ at: string, why: string }[]} */
    const where = fault.where ?? [];
    const fields = Object.fromEntries(where.map(({ at, why }) => [at, [why]]));
    return { rejected: { message: fault.reason, fields } };
  },
};
