import type { EntityName } from '../entity-name.js';
import type { DeliveryParent, Report, ReportCounts, ReportRow } from './report.js';

/** Which days and entities a report is about. */
export interface ReportOf {
  readonly from: string;
  readonly to: string;
  readonly entities: readonly EntityName[];
}

/** Puts rows, ordered by day, together. `parents`: by platform id. Pure. */
export function makeReport(
  { from, to, entities }: ReportOf,
  rows: readonly ReportRow[],
  parents: ReadonlyMap<string, DeliveryParent>,
): Report {
  const days = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const ofDay = days.get(row.day);
    if (ofDay) ofDay.push(row);
    else days.set(row.day, [row]);
  }
  return {
    from,
    to,
    entities: byEntity(entities, rows),
    days: [...days].map(([day, ofDay]) => ({
      day,
      entities: byEntity(
        entities.filter((name) => ofDay.some(({ entity }) => entity === name)),
        ofDay,
      ),
      rows: ofDay.map((row) => ({
        entity: row.entity,
        parent: row.parentId === null ? null : (parents.get(row.parentId) ?? null),
        ...sum([row]),
      })),
    })),
  };
}

function byEntity(
  names: readonly EntityName[],
  rows: readonly ReportRow[],
): Readonly<Record<EntityName, ReportCounts>> {
  return Object.fromEntries(names.map((name) => [name, sum(rows.filter(({ entity }) => entity === name))]));
}

function sum(rows: readonly ReportCounts[]): ReportCounts {
  const total = (name: keyof ReportCounts) => rows.reduce((all, row) => all + row[name], 0);
  return {
    created: total('created'),
    accepted: total('accepted'),
    closed: total('closed'),
    deleted: total('deleted'),
    rejected: total('rejected'),
    failed: total('failed'),
  };
}
