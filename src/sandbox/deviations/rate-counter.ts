import type { AreaDeviations } from '../../config/deviations/deviation-schema.js';

const WINDOW_MS = 60_000;

/** Counts the requests of an area in each minute, for headers that say how many are left. */
export function createRateCounter(): (
  settings: AreaDeviations['rate'],
  nowMs: number,
) => Record<string, string> {
  let window = 0;
  let count = 0;
  return ({ limit, names }, nowMs) => {
    if (limit === null) return {};
    const current = Math.floor(nowMs / WINDOW_MS);
    if (current !== window) count = 0;
    window = current;
    count += 1;
    return {
      [`${names}-limit`]: String(limit),
      [`${names}-remaining`]: String(Math.max(0, limit - count)),
      ...(names === 'ratelimit'
        ? { 'ratelimit-reset': String(Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1000)) }
        : {}),
    };
  };
}
