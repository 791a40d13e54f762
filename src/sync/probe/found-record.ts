import type { JsonObject } from '../../domain/row.js';
import { type FoundRecord, typeWord } from '../../domain/probe/seen.js';
import { isObject, valueAt } from '../../domain/reply/refusal.js';
import type { Reply } from '../../domain/reply/reply.js';
import { compareReadBack, showsAnything } from '../../entities/compare-read-back.js';
import type { Entity } from '../../entities/entity.js';

const SHOWS_NOTHING = 'it shows none of the fields of the record';

/**
 * What the reply to a Find shows of a body that was just sent. `today`: `YYYY-MM-DD` in the platform's zone, `timeZone`. Pure.
 */
export function foundRecord(
  entity: Entity,
  reply: Reply,
  body: JsonObject,
  today: string,
  timeZone: string,
): FoundRecord | null {
  const { readBack, noun, lastDay } = entity;
  if (readBack === null) return null;
  const json = reply.kind === 'answered' ? reply.json : undefined;
  const data = isObject(json) && isObject(json.data) ? (json.data as JsonObject) : null;
  const nothing = { noun: noun.one, reply, shown: [], hidden: [], differing: [] };
  if (data === null) return { ...nothing, misfit: 'the reply has no data object' };
  // As verify reads it: what is not shown, or shown elsewhere, is not compared.
  if (!showsAnything(readBack, data)) return { ...nothing, misfit: SHOWS_NOTHING };
  const fields = readBack.fields.filter(({ sent }) => (valueAt(body, sent) ?? null) !== null);
  const { drift, compared } = compareReadBack({ ...readBack, fields }, body, data, {
    today,
    lastDay,
    timeZone,
  });
  const isShown = (sent: string) => compared.includes(sent);
  return {
    ...nothing,
    // Types that differ are borne; a reply that shows nothing of the record is another one.
    misfit: compared.length === 0 && fields.length > 0 ? SHOWS_NOTHING : null,
    shown: fields
      .filter(({ sent }) => isShown(sent))
      .map(({ sent, read }) => {
        const held = read === null ? undefined : valueAt(data, read);
        const [as, was] = [typeWord(held), typeWord(valueAt(body, sent))];
        return { field: sent, as: held === undefined || as === was ? null : as };
      }),
    hidden: fields.filter(({ sent }) => !isShown(sent)).map(({ sent }) => sent),
    differing: drift.flatMap(({ field, held }) => (held === null ? [] : [field])),
  };
}
