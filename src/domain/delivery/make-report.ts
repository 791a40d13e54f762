import type { EntityName } from '../entity-name.js';
import type { DeliveryParent, Report, ReportCounts, ReportRows, ReportTotal } from './report.js';

/** Which days and entities a report is about. */
export interface ReportOf {
  readonly from: string;
  readonly to: string;
  readonly entities: readonly EntityName[];
}

/** Puts what the journal gave together. `parents`: by platform id. Pure. */
export function makeReport(
  { from, to, entities }: ReportOf,
  { totals, rows }: ReportRows,
  parents: ReadonlyMap<string, DeliveryParent>,
): Omit<Report, 'expired' | 'coverage'> {
  const shown = byDay(rows);
  return {
    from,
    to,
    entities: byEntity(entities, totals),
    days: [...byDay(totals)].map(([day, ofDay]) => ({
      day,
      entities: byEntity(
        entities.filter((name) => ofDay.some(({ entity }) => entity === name)),
        ofDay,
      ),
      rows: (shown.get(day) ?? []).map((row) => ({
        entity: row.entity,
        parent: row.parentId === null ? null : (parents.get(row.parentId) ?? null),
        ...sum([row]),
      })),
    })),
    leftOut: totals.reduce((all, { lines }) => all + lines, 0) - rows.length,
  };
}

function byDay<Row extends { readonly day: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const ofDay = days.get(row.day);
    if (ofDay) ofDay.push(row);
    else days.set(row.day, [row]);
  }
  return days;
}

function byEntity(
  names: readonly EntityName[],
  totals: readonly ReportTotal[],
): Readonly<Record<EntityName, ReportCounts>> {
  return Object.fromEntries(names.map((name) => [name, sum(totals.filter(({ entity }) => entity === name))]));
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
