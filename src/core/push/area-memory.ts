import type { LearnedRate } from '../domain/learned-rate.js';
import { valueAt } from '../domain/reply/refusal.js';
import { oneLineUpTo, type Reply } from '../domain/reply/reply.js';
import type { PushOptions } from './push-options.js';

/*
 * What a push stores of its area beside its end, so that the next push and everybody else knows it: the rate that it
 * learned, and the version that the platform names.
 */

/** What was learned is stored this often at most, unless a request was refused, milliseconds. */
const KEEP_MS = 10_000;

/** Keeps what the push's rate limit learns. */
export class RateKeeper {
  /** What is stored. */
  #kept: LearnedRate | null;
  /** Since when; monotonic. */
  #keptAt: number;

  /** @param before what was stored; the limit begins with it */
  constructor(
    private readonly push: PushOptions,
    before: LearnedRate | null,
  ) {
    this.#kept = before;
    this.#keptAt = push.clock.monotonic();
    push.rateLimit.learning?.resume(before);
  }

  /** Stores it when it is time to. */
  async keep(): Promise<void> {
    const learned = this.#learned();
    const isNews = learned === null || learned.limitedAt !== this.#kept?.limitedAt;
    if (isNews || this.push.clock.monotonic() - this.#keptAt >= KEEP_MS) await this.#save(learned);
  }

  /** At the end of the push. */
  keepLast(): Promise<void> {
    return this.#save(this.#learned());
  }

  #learned(): LearnedRate | null {
    return this.push.rateLimit.learning?.learned() ?? null;
  }

  async #save(learned: LearnedRate | null): Promise<void> {
    const { rateLimit, clock, lease, state, area } = this.push;
    if (rateLimit.learning === undefined || learned === this.#kept) return;
    this.#kept = learned;
    this.#keptAt = clock.monotonic();
    await lease.fenced((fence) => state.areaStates.saveLearnedRate(fence, area, learned));
  }
}

/** Longest name of a version that is kept, characters. */
const LONGEST_VERSION = 60;

/** A platform that names another version with each reply is reported so often in a push. */
const MOST_VERSIONS = 5;

/**
 * What version of itself the platform names in its replies (`meta.version`). Another one than before is reported, once in a
 * push also where two answer in turn, and kept, so that no later process reports it again.
 */
export class VersionWatch {
  /** What is stored. */
  #kept: string | null;
  /** What the last reply named. */
  #latest: string | null;
  readonly #reported: Set<string | null>;

  /** @param before what was stored */
  constructor(
    private readonly push: PushOptions,
    before: string | null,
  ) {
    this.#kept = before;
    this.#latest = before;
    this.#reported = new Set([before]);
  }

  note(reply: Reply): void {
    const named = reply.kind === 'answered' ? valueAt(reply.json, 'meta.version') : undefined;
    if (typeof named !== 'string' && typeof named !== 'number') return;
    const version = oneLineUpTo(LONGEST_VERSION, String(named));
    const before = this.#latest;
    if (version === '' || version === before) return;
    if (before !== null && !this.#reported.has(version) && this.#reported.size <= MOST_VERSIONS)
      this.push.emit({ type: 'platform-version', area: this.push.area, version, before });
    this.#reported.add(version);
    this.#latest = version;
  }

  /** Stores it if it is another one. */
  async keep(): Promise<void> {
    const version = this.#latest;
    if (version === null || version === this.#kept) return;
    this.#kept = version;
    const { lease, state, area } = this.push;
    await lease.fenced((fence) => state.areaStates.savePlatformVersion(fence, area, version));
  }
}
