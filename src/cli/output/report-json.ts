import type { DeliveryCounts, Report } from '../../domain/report.js';

const HINT =
  'The counts of days and entities are complete. Choose fewer days with --from and --to, or use --csv for every request.';

/** What `report --json` prints: public interface. Pure. */
export function reportJson({ from, to, entities, days, leftOut, expired = {}, coverage }: Report) {
  const each = (all: Readonly<Record<string, DeliveryCounts>>) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, counts(one)]));
  return {
    from,
    to,
    entities: each(entities),
    days: days.map(({ day, entities: ofDay, rows }) => ({
      day,
      entities: each(ofDay),
      parents: rows.map(({ entity, parent, ...rest }) => ({ entity, parent, ...counts(rest) })),
    })),
    knownFrom: coverage.knownFrom?.toISOString() ?? null,
    unknown: coverage.unknown.map((gap) => ({
      from: gap.from?.toISOString() ?? null,
      to: gap.to.toISOString(),
    })),
    ...(Object.keys(expired).length > 0 ? { expired } : {}),
    ...(leftOut > 0 ? { leftOut: { parents: leftOut, hint: HINT } } : {}),
  };
}

function counts({ accepted, closed, deleted, rejected, failed }: DeliveryCounts): DeliveryCounts {
  return { accepted, closed, deleted, rejected, failed };
}
