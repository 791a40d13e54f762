import type { Step, Statement } from './steps.js';

/** A process that can be killed. */
export interface Victim {
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Decides at which statement, request or reply the armed process ends. */
export interface KillSwitch {
  /** The victim dies when it comes by the step for the `occurrence`-th time (from 1). */
  arm(victim: Victim, step: Step, occurrence: number): void;
  /** Nobody dies any more. */
  disarm(): void;
  /** Whether the armed process was killed. */
  readonly fired: boolean;
  /** Before a statement is forwarded: what to do with it. */
  statement(victim: Victim, statement: Statement): 'pass' | 'kill' | 'watch';
  /** A watched statement was carried out. True: the reply is not passed on, the process has to be killed. */
  carriedOut(victim: Victim, rows: number): boolean;
  /** Before a request is forwarded; `isConfirmation` is asked only when it matters. */
  request(isConfirmation: () => Promise<boolean>): Promise<'pass' | 'lost' | 'arrives' | 'late'>;
  /** Before (`applied`) and after (`replied`) a reply is passed on. */
  reply(when: 'applied' | 'replied', isConfirmation: () => Promise<boolean>): Promise<boolean>;
  /** Ends the armed process. */
  fire(): Promise<void>;
}

interface Armed {
  readonly victim: Victim;
  readonly step: Step;
  left: number;
}

export function createKillSwitch(): KillSwitch {
  let armed: Armed | null = null;
  let fired = false;
  /** True when it was the last one. */
  const count = (one: Armed) => {
    one.left -= 1;
    if (one.left > 0) return false;
    fired = true;
    return true;
  };
  return {
    arm(victim, step, occurrence) {
      armed = { victim, step, left: occurrence };
      fired = false;
    },
    disarm() {
      armed = null;
    },
    get fired() {
      return fired;
    },
    statement(victim, statement) {
      if (armed?.victim !== victim || fired) return 'pass';
      const { step } = armed;
      if (step.at === 'random' && step.when === 'statement') return count(armed) ? 'kill' : 'pass';
      if (step.at !== 'database' || !step.matches(statement)) return 'pass';
      if (step.when === 'after') return 'watch';
      return count(armed) ? 'kill' : 'pass';
    },
    carriedOut(victim, rows) {
      if (armed?.victim !== victim || fired || armed.step.at !== 'database') return false;
      if (armed.step.effective && rows === 0) return false;
      return count(armed);
    },
    async request(isConfirmation) {
      const one = armed;
      if (one?.step.at !== 'platform' || fired) return 'pass';
      const { when, confirmation } = one.step;
      if (when === 'applied' || when === 'replied') return 'pass';
      if (confirmation && !(await isConfirmation())) return 'pass';
      return !fired && count(one) ? when : 'pass';
    },
    async reply(when, isConfirmation) {
      const one = armed;
      if (one?.step.at !== 'platform' || fired || one.step.when !== when) return false;
      if (one.step.confirmation && !(await isConfirmation())) return false;
      return !fired && count(one);
    },
    async fire() {
      fired = true;
      await armed?.victim.kill();
    },
  };
}
