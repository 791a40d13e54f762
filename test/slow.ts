/**
 * Whether this is `npm test`. A test that goes into processes, waits or outages for seconds, beside faster ones of its
 * file, begins with `skip(DAILY)`; `npm run test:full` has it.
 */
export const DAILY = process.env.LANE === 'daily';
