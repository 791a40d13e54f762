import type { Command } from 'commander';
import { hostname, userInfo } from 'node:os';
import { usageError } from '../core/domain/errors.js';
import type { Emit } from '../core/domain/events.js';
import type { ActionName } from '../core/domain/operator-action.js';
import { type AskedAction, needsReason } from '../features/actions/asked-action.js';
import type { OperatorActions } from '../features/actions/action-store.js';
import { asNoted, type Done } from '../features/actions/operator-actions.js';

/*
 * What commands that change something have in common: who calls them, why, and the row that says so.
 */

interface Noting {
  readonly state: { readonly operatorActions: Pick<OperatorActions, 'begin' | 'end'> };
  readonly emit: Emit;
}

/** Does the work of a command as `asNoted`. */
export function noted<T>(
  { state, emit }: Noting,
  asked: AskedAction,
  work: (id: string) => Promise<Done<T>>,
): Promise<T> {
  const operator = { who: `${userName()}@${hostname()}`, via: 'command' } as const;
  return asNoted({ actions: state.operatorActions, emit }, operator, asked, work);
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** What `--reason` says; null: nothing. Errors: SyncError `usage` when the guards ask for one. */
export function reasonFor(
  command: Command,
  action: ActionName,
  guards: { readonly requireReason: boolean },
): string | null {
  const { reason = null } = command.opts<{ readonly reason?: string }>();
  if (reason === null && guards.requireReason && needsReason(action))
    throw usageError(
      `${action} needs a reason, because guards.requireReason is true.`,
      'Say why: --reason "checked with the owner of the data"',
    );
  return reason;
}

/** The one entity of a command; null: several. */
export function onlyEntity(entities: readonly { readonly name: string }[]): string | null {
  return entities.length === 1 ? (entities[0]?.name ?? null) : null;
}

/** The counters of several entities, added up by name. */
export function summed(counters: readonly object[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of counters.flatMap((one) => Object.entries(one) as [string, unknown][]))
    if (typeof count === 'number') sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
