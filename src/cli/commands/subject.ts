import { randomUUID } from 'node:crypto';
import { usageError } from '../../core/domain/errors.js';
import { uuidText } from '../../core/domain/key.js';
import { listed, plural } from '../../core/domain/text.js';
import type { Erasure, Subject } from '../../features/subjects/subjects.js';
import { withWork } from '../../core/leases.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withState } from '../compose/open-state.js';
import { io, isConfirmed } from '../io.js';
import { noted, reasonFor } from '../operator.js';
import { say, writeError, writeJson } from '../output/write.js';

/*
 * What is stored of one person: `export` prints it, `erase` says what goes, asks, removes it and prints a receipt. The
 * receipt has numbers of rows, a time and an id, and nothing of the person; the log has the same as one event.
 */

export const exportCommand: Handler = async ({ command, signal, arguments: [who = ''] }) => {
  const { config, emit } = commandContext(command);
  const subject = subjectOf(who);
  const reason = reasonFor(command, 'subject export', config.settings.guards);
  const held = await withState(config, signal, (state) =>
    noted({ state, emit }, { action: 'subject export', entity: null, reason }, async () => {
      const result = await withWork(emit, 'Searching', () => state.subjects.read(subject));
      const counted = Object.entries<readonly unknown[]>({ ...result }).map(
        ([table, found]) => [table, found.length] as const,
      );
      const rows = present(Object.fromEntries<number>(counted));
      emit({ type: 'subject-request', request: 'export', receiptId: randomUUID(), rows });
      return { result, counts: rows };
    }),
  );
  writeJson(held);
  return 0;
};

interface EraseFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const eraseCommand: Handler = async ({ command, signal, arguments: [who = ''] }) => {
  const { dryRun = false, yes = false, json = false } = command.opts<EraseFlags>();
  const { config, emit } = commandContext(command);
  const subject = subjectOf(who);
  const requireInbox = configuredEntities(config).every((each) => !each.application || each.requireInbox);
  const reason = reasonFor(command, 'subject erase', config.settings.guards);
  return withState(config, signal, async (state) => {
    const erase = (only: boolean) =>
      withWork(emit, only ? 'Searching' : 'Erasing', () => state.subjects.erase(subject, { dryRun: only }));
    const show = (erasure: Erasure, isDry: boolean, receiptId: string | null) => {
      const receipt = receiptOf(erasure, { dryRun: isDry, receiptId, requireInbox });
      if (json) writeJson(receipt);
      else printReceipt(receipt);
    };
    // What is asked about, or shown; with --yes nobody reads it.
    if (dryRun || !yes) {
      const found = await erase(true);
      if (dryRun) {
        show(found, true, null);
        return 0;
      }
      // Standard output has the receipt alone.
      (json ? writeError : say)(foundSentence(found));
      const asked = { what: 'subject erase', again: 'placement-sync subject erase WHO --yes' };
      if (total(found) > 0 && !(await isConfirmed('Erase it?', asked))) {
        (json ? writeError : say)('Nothing was erased.');
        return 1;
      }
    }
    const receiptId = randomUUID();
    const done = await noted({ state, emit }, { action: 'subject erase', entity: null, reason }, async () => {
      const result = await erase(false);
      const rows = present({ ...result.blanked, ...result.removed });
      emit({ type: 'subject-request', request: 'erase', receiptId, rows });
      return { result, counts: rows };
    });
    show(done, false, receiptId);
    return 0;
  });
};

/** Errors: SyncError `usage` for what is neither; its message does not repeat it. */
function subjectOf(given: string): Subject {
  const who = (given === '-' ? io().readInput().toString('utf8') : given).trim();
  const id = uuidText(who) ?? (/^\d{1,39}$/.test(who) ? who : null);
  if (id !== null) return { applicationId: id };
  if (/^[^\s@]+@[^\s@]+$/.test(who)) return { email: who };
  throw usageError(
    'This is neither an e-mail address nor the id of an application (a UUID or a whole number).',
    'For instance: placement-sync subject export budi@example.com',
  );
}

/** The receipt, as `--json` prints it: public interface. */
interface Receipt extends Erasure {
  /** Null: only looked. */
  readonly receiptId: string | null;
  readonly at: string;
  readonly dryRun: boolean;
  readonly hints: readonly string[];
}

function receiptOf(
  erasure: Erasure,
  { requireInbox, ...head }: Pick<Receipt, 'receiptId' | 'dryRun'> & { readonly requireInbox: boolean },
): Receipt {
  return {
    ...head,
    at: new Date().toISOString(),
    ...erasure,
    hints: [
      requireInbox
        ? 'Take the person out of your own tables too. A row that stays in the query of application-statuses is counted as foreign and not sent: its application is no longer known here.'
        : 'Take the person out of your own tables first: because of requireInbox: false, a row that stays in the query of application-statuses is stored and sent again by the next sweep, and by one that has read it already. Then erase again.',
      'The platform, backups, and what triggers of yours copied are not reached.',
    ],
  };
}

function printReceipt(receipt: Receipt): void {
  const { receiptId, at, dryRun, hints } = receipt;
  if (dryRun) say(foundSentence(receipt));
  else {
    say(`Receipt ${receiptId ?? ''} of ${at}`);
    say(total(receipt) === 0 ? 'Nothing was stored of this person.' : changedSentence(receipt, false));
  }
  if (dryRun) say('Nothing was erased.');
  for (const hint of hints) say(hint);
}

function foundSentence(erasure: Erasure): string {
  return total(erasure) === 0 ? 'Nothing is stored of this person.' : changedSentence(erasure, true);
}

function changedSentence({ removed, blanked }: Erasure, planned: boolean): string {
  const part = (counts: Erasure['removed'], done: string) =>
    Object.keys(present(counts)).length === 0
      ? []
      : [`${planned ? `To be ${done}` : `${done[0]?.toUpperCase()}${done.slice(1)}`}: ${rowsOf(counts)}.`];
  return [...part(removed, 'removed'), ...part(blanked, 'blanked')].join(' ');
}

function rowsOf(counts: Erasure['removed']): string {
  return listed(
    Object.entries(present(counts)).map(
      ([table, count]) => `${count} ${plural(count, 'row', 'rows')} of ${table}`,
    ),
  );
}

function total({ removed, blanked }: Erasure): number {
  return [...Object.values(removed), ...Object.values(blanked)].reduce((sum, count) => sum + count, 0);
}

/** Without tables that have nothing. */
function present(counts: Erasure['removed']): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
