import type { RunReport } from '../sync/run/end.js';

type SyncEnd = Pick<RunReport, 'exitCode'> & {
  readonly entities: Readonly<Record<string, { readonly accepted: number }>>;
};

/** Exit code of a sync of the sample: it has broken records. */
const AS_EXPECTED = 3;

/** Whether a sync of the sample ended as it must. Pure. */
export function finishedAsExpected({ exitCode }: Pick<RunReport, 'exitCode'>): boolean {
  return exitCode === AS_EXPECTED;
}

/** 0 when the demo did what it promises: the first sync sends the sample, the second only the few edits. Pure. */
export function demoExitCode(first: SyncEnd, second: SyncEnd): 0 | 1 {
  const sent = ({ entities }: SyncEnd) =>
    Object.values(entities).reduce((sum, { accepted }) => sum + accepted, 0);
  const did =
    finishedAsExpected(first) &&
    finishedAsExpected(second) &&
    sent(first) > 1_000 &&
    sent(second) > 0 &&
    sent(second) < 10;
  return did ? 0 : 1;
}
