import type { AdapterState } from '../contract/adapter.js';
import { oneLineUpTo, PLATFORM_STATES, type ShownState, type StateSettings } from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';
import { type Comparison, shownAt } from './compare-read-back.js';
import type { ReadBack } from './read-back.js';

/**
 * What the platform makes of a record after it was accepted, by what a Find shows. `platform.replies.state` says where
 * the word stands and what it means (`shownState`). Without it, and for a word that no list has, only this is sure: the
 * status is another than the one that was sent, so somebody at the platform may have changed it.
 */

interface StatedEntity {
  readonly readBack: Pick<ReadBack, 'fields' | 'containers'>;
  readonly statusField: string | null;
  /** The status that we send to close a record. */
  readonly closedStatus: string;
}

/** The status that the interface shows. A record that is open although another status was sent was not taken down. */
const OPEN = 'open';

/** Longest word that is kept. */
const LONGEST = 60;

/**
 * The state that a Find shows, with the comparison of the other fields; null: none, or the status is as it was sent.
 *
 * @param body the request body
 * @param data `data` of the Find
 * @param told what the adapter says of it
 */
export function shownState(
  entity: StatedEntity,
  settings: StateSettings | null,
  body: JsonObject,
  data: JsonObject,
  comparison: Comparison,
  told?: AdapterState,
): { readonly shown: ShownState | null; readonly comparison: Comparison } {
  const { statusField, closedStatus } = entity;
  const sent = statusField === null ? null : (body[statusField] ?? null);
  const differing = comparison.drift.find(({ field }) => field === statusField);
  const word = told ?? (settings === null ? null : wordAt(entity, settings.path, data));
  const state =
    told ??
    (word === null
      ? undefined
      : PLATFORM_STATES.find((each) => each !== 'other' && has(settings?.[each], word)));
  if (word !== null && state !== undefined) {
    // The word is another spelling of what was sent, unless that was not to be live.
    const meant = state !== 'live' || !isSame(sent, closedStatus);
    return {
      shown: { state, word },
      comparison: meant
        ? { ...comparison, drift: comparison.drift.filter((each) => each !== differing) }
        : comparison,
    };
  }
  const other =
    settings !== null && word !== null && !isStatus(entity, settings.path) ? word : heldWord(differing);
  if (other === null || isSame(sent, other) || (other === differing?.held && isSame(OPEN, other)))
    return { shown: null, comparison };
  const drift =
    differing === undefined && settings !== null
      ? [...comparison.drift, { field: settings.path, sent: null, held: other }]
      : comparison.drift;
  return { shown: { state: 'other', word: other }, comparison: { ...comparison, drift } };
}

/** The word at the path, in `data` or in an object of it that may bear the record's fields; null: it is not shown. */
function wordAt({ readBack }: StatedEntity, path: string, data: JsonObject): string | null {
  for (const container of ['', ...readBack.containers]) {
    const value = shownAt(data, container, path);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const word = oneLineUpTo(LONGEST, String(value));
    if (word !== '') return word;
  }
  return null;
}

function heldWord(differing: Comparison['drift'][number] | undefined): string | null {
  const held = differing?.held;
  return typeof held === 'string' && held.trim() !== '' ? oneLineUpTo(LONGEST, held) : null;
}

/** Whether the path is that of the status, which is compared with what was sent. */
function isStatus({ readBack, statusField }: StatedEntity, path: string): boolean {
  const read = readBack.fields.find(({ sent }) => sent === statusField)?.read ?? null;
  return read !== null && (read === path || read.endsWith(`.${path}`));
}

function has(words: readonly string[] | undefined, word: string): boolean {
  return words?.some((each) => isSame(each, word)) === true;
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.trim().toLowerCase() === other.trim().toLowerCase();
}
