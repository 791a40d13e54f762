import { withFullStop } from '../domain/text.js';
import type { TenantReport } from './tenant-report.js';
import type { ReasonTexts } from './text/fleet-texts.js';

/**
 * Why a tenant stands as it does: cause, then hint. Null: it is ok, so there is nothing to say. The message of a failed
 * run stays in its own language. `number`: writes a count. Pure.
 */
export function tenantReason(
  { name, state, lastRun, running, pending }: Omit<TenantReport, 'reason'>,
  texts: ReasonTexts,
  number: (count: number) => string,
): string | null {
  switch (state) {
    case 'ok':
      return null;
    case 'failing': {
      const { exitCode, message } = lastRun ?? { exitCode: 1, message: null };
      const cause = texts.failed(String(exitCode), message === null ? null : withFullStop(message));
      const hints: Readonly<Record<number, (name: string) => string>> = texts.failedHints;
      return `${cause} ${(hints[exitCode] ?? texts.otherHint)(name)}`;
    }
    case 'stale':
      if (lastRun?.outgrewLane === true) return texts.staleReading(name);
      if (lastRun?.usedUpSlice === true) return texts.staleSending(pending === null ? null : number(pending));
      if (running) return texts.staleUnderWay(running.replica);
      return lastRun === null ? texts.staleNeverRan : texts.staleNobody;
    case 'needs-correction':
      return lastRun?.exitCode === 4 ? texts.held(name) : texts.toCorrect(name);
    case 'running':
      return texts.running(running?.replica ?? '');
    case 'waiting':
    case 'paused':
    case 'disabled':
      return texts[state](name);
  }
}
