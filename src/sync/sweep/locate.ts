import { platformId, uuidText } from '../../domain/key.js';
import type { JsonValue } from '../../domain/row.js';
import type { Inbox } from '../../ports/inbox.js';
import type { SourceRow } from '../../ports/source.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/** The platform ids of rows, by key; null: the record has none. */
export type Locate = (rows: readonly SourceRow[]) => Promise<ReadonlyMap<string, string | null>>;

/** How an entity's records get their platform ids. */
export function locatorOf(
  entity: ConfiguredEntity,
  inbox: Pick<Inbox, 'knownApplications' | 'latestApplications'>,
): Locate {
  return entity.application ? locateApplications(inbox, entity.requireInbox) : locateByKey(entity);
}

/** Every record but an application status has its own key. */
export function locateByKey({ name, mapContext }: ConfiguredEntity): Locate {
  return (rows) =>
    Promise.resolve(
      new Map(rows.map(({ key }) => [key, platformId(name, key, mapContext.namespace)] as const)),
    );
}

/**
 * The platform made the application: its id came by webhook. A row names it by that id, or by the vacancy and the
 * applicant's address, which stand for the latest application. `requireInbox`: an id that never came by webhook does
 * not count, because a partner's own UUID would pass every other check.
 */
export function locateApplications(
  inbox: Pick<Inbox, 'knownApplications' | 'latestApplications'>,
  requireInbox: boolean,
): Locate {
  return async (rows) => {
    const located = new Map<string, string | null>();
    const byId = new Map<string, string>();
    const byPerson: { key: string; vacancyKey: string; email: string }[] = [];
    for (const { key, row } of rows) {
      const id = uuidText(text(row.key) ?? '');
      const vacancyKey = text(row.vacancy_key);
      const email = text(row.email);
      located.set(key, null);
      if (id !== null) byId.set(key, id);
      else if (vacancyKey !== null && email !== null) byPerson.push({ key, vacancyKey, email });
    }
    const known = requireInbox ? await inbox.knownApplications([...byId.values()]) : null;
    for (const [key, id] of byId) if (known === null || known.has(id)) located.set(key, id);
    const latest = byPerson.length > 0 ? await inbox.latestApplications(byPerson) : [];
    byPerson.forEach(({ key }, index) => located.set(key, latest[index] ?? null));
    return located;
  };
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
