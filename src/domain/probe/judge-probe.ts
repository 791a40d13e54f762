import { nameOwnBlocks } from '../reply/name-own-blocks.js';
import { oneLine } from '../reply/one-line.js';
import { scrubText } from '../scrub-text.js';
import type { ProbeEnd } from './end-of.js';
import type { CheckedAssumption } from './probe-check.js';
import { PROBE_CHECKS } from './probe-checks.js';
import type { ProbeSeen } from './probe-seen.js';

/** Longest text of what was seen, characters. */
const LONGEST = 400;

/** Every check by what was seen. `secrets`: never shown, wherever the platform repeats them. Pure. */
export function judgeProbe(seen: ProbeSeen, secrets: readonly string[]): readonly CheckedAssumption[] {
  return PROBE_CHECKS.map(({ id, assumption, setting, judge }) => {
    const verdict = judge(seen);
    const text = oneLine(scrubText(verdict.seen, secrets));
    const bounded = [...text].length > LONGEST ? `${[...text].slice(0, LONGEST - 1).join('')}…` : text;
    return {
      id,
      assumption,
      result: verdict.result,
      seen: bounded,
      setting: nameOwnBlocks(setting, seen.rules.own),
    };
  });
}

/** 5: the platform does not answer; 3: something differs, also refused credentials; 0: everything is as assumed. */
export function probeExitCode(checks: readonly CheckedAssumption[], end: ProbeEnd | null): number {
  if (end?.kind === 'silent') return 5;
  return checks.some(({ result }) => result === 'differs') ? 3 : 0;
}
