import type { Random } from '../../src/demo/sample/random.js';
import type { Intercept, Verdict } from '../../src/sandbox/intercept.js';
import { REFUSED } from './source-edits.js';

export interface PlatformFaults {
  readonly intercept: Intercept;
  /** Paths whose requests are processed at once: a late one must not become later still. */
  readonly spared: Set<string>;
  /** Off: only what the platform refuses for its content is refused. */
  on: boolean;
}

/** Now and then the platform is slow, throttles, fails or breaks the connection. */
export function createPlatformFaults(random: Random, timeoutMs: number): PlatformFaults {
  const faults: (() => Verdict)[] = [
    () => ({ delayMs: random.integer(20, 300) }),
    () => ({ status: 429, headers: { 'Retry-After': '1' } }),
    () => ({ status: 500, body: { message: 'for a moment' } }),
    () => ({ status: 502, body: '<html>Bad gateway</html>' }),
    () => ({ status: 504, body: '<html>Gateway time-out</html>', apply: true }),
    () => ({ drop: 'before' }),
    () => ({ drop: 'after' }),
    // The process has given it up by then.
    () => ({ delayMs: timeoutMs + 200, applyAfterDelay: true }),
  ];
  let on = false;
  const spared = new Set<string>();
  return {
    spared,
    get on() {
      return on;
    },
    set on(value) {
      on = value;
    },
    intercept({ body, path }) {
      if ((body as { title?: string } | undefined)?.title === REFUSED) {
        return { status: 422, body: { message: 'Such a title is not allowed' } };
      }
      if (!on || spared.has(path) || !random.chance(0.06)) return undefined;
      return random.pick(faults)();
    },
  };
}
