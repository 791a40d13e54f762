import type { EntityName } from '../../domain/names.js';
import type { Issue } from '../../domain/issue.js';
import type { ListedRecord, ListPosition, RecordLists } from '../../ports/record-lists.js';
import { ENTITIES, isAboutApplications, recordName } from '../../entities/index.js';
import { uuidText } from '../../domain/key.js';
import type { StateDatabase } from '../database/state-database.js';
import { countSql, lastExaminedSql, pageSql } from './list-sql.js';
import { invalidReasons } from './invalid-reasons.js';
import { rejectedReasons } from './rejected-reasons.js';
import { waitingReasons } from './waiting-reasons.js';

interface PlaceRow {
  key: string;
  platformId: string;
  attemptedUs: string | null;
}

type ListedRow = PlaceRow & Omit<ListedRecord, 'issues'> & { issues: readonly Issue[] | null };

export function createRecordLists(database: StateDatabase): RecordLists {
  return {
    async page(entity, selection, { after, limit }) {
      const further = after !== null;
      const known = ENTITIES.find(({ name }) => name === entity);
      const parameters = {
        entity,
        status: selection.status,
        label: known?.label ?? null,
        lastDay: known?.lastDay ?? null,
        search: containing(selection.search),
        reason: containing(selection.reason),
        after: further ? await keyOfName(database, entity, after.key) : null,
        attempted: after?.attemptedUs ?? null,
        // One more shows whether the list goes on.
        limit: limit + 1,
      };
      const rows = await database.query<ListedRow>(pageSql(entity, selection, further), parameters);
      const records = rows.slice(0, limit).map((row) => listed(entity, row));
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      if (last) return { records, next: placeOf(entity, last) };
      const [end] = await database.query<PlaceRow>(lastExaminedSql(selection, further), parameters);
      return { records, next: end ? placeOf(entity, end) : null };
    },

    async count(entity, status, most) {
      const [row] = await database.query<{ count: string; further: boolean }>(countSql(entity, status), {
        entity,
        status,
        // One more shows whether there are more.
        most: most + 1,
      });
      const count = Number(row?.count ?? 0);
      return { value: Math.min(count, most), more: count > most || row?.further === true };
    },

    invalidReasons: (entity, limit) => invalidReasons(database, entity, limit),
    rejectedReasons: (entity, limit) => rejectedReasons(database, entity, limit),
    waitingReasons: (entity) => waitingReasons(database, entity),
  };
}

/** The pattern of what contains this text; its own `%`, `_` and `\` stand for themselves. */
function containing(text: string | null): string | null {
  return text === null ? null : `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}

function listed(entity: EntityName, row: ListedRow): ListedRecord {
  const { issues, platformId, attemptedUs: _, ...record } = row;
  return { ...record, key: recordName(entity, row.key, platformId), issues: issues ?? [] };
}

function placeOf(entity: EntityName, { key, platformId, attemptedUs }: PlaceRow): ListPosition {
  return {
    key: recordName(entity, key, platformId),
    attemptedUs: attemptedUs === null ? null : Number(attemptedUs),
  };
}

/** The key of the record with this `recordName`; a text that names none is returned unchanged. */
async function keyOfName(database: StateDatabase, entity: EntityName, name: string): Promise<string> {
  if (!isAboutApplications(entity)) return name;
  const [row] = await database.query<{ key: string }>(
    'select key from :schema:.sync_state where entity = :entity and platform_id = cast(:uuid as uuid)',
    { entity, uuid: uuidText(name) },
  );
  return row?.key ?? name;
}
