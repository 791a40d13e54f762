import type { Hono } from 'hono';
import { SyncError } from '../core/domain/errors.js';
import type { EntityName } from '../core/domain/names.js';
import { csvLine } from '../core/domain/text.js';
import type {
  ListedRecord,
  RecordCount,
  RecordLists,
  RecordPage,
  RecordSelection,
} from '../features/look/record-lists.js';
import type { State } from '../features/create-state.js';
import type { SourceReader } from '../core/ports/source.js';
import { whenGone } from '../features/http/own-origin.js';
import { explainRecord } from '../features/look/explain-record.js';
import { listRecords, type RecordFilter } from '../features/look/list-records.js';
import { unsentChanges } from '../features/look/read-status.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardEnv, DashboardRequest } from './dashboard-request.js';
import { doneMessage } from './done-message.js';
import { foundPage } from './pages/found-page.js';
import { noticePage } from './pages/layout.js';
import { FIND_PATH, listLink, ORDERS, readListQuery, recordLink, RECORDS_CSV_PATH } from './pages/links.js';
import { recordPage } from './pages/record-page.js';
import { recordsPage } from './pages/records-page.js';
import { sendCsv } from './send-file.js';
import { PATIENCE_MS, readFor, refused } from './shell.js';

/*
 * The pages about records: a list with its filters, the same as a file, one record, and the search from the head of every
 * page, which finds a record by its key and else the list of those whose title contains the words.
 */

const PAGE_SIZE = 50;

/** Records are counted up to this number: the count of a million would take longer than the list. */
const COUNTED = 10_000;

export function recordRoutes(
  app: Hono<DashboardEnv>,
  { context, stateUntil, canLook }: DashboardOptions,
): void {
  const { source, entities: known, presentEntities, clock, emit } = context;
  /** A row with errors has no payload, so only the source can name it. A source that is away or slow names nothing. */
  const withTitles = async (c: DashboardRequest, name: EntityName, records: readonly ListedRecord[]) => {
    const entity = known.find((each) => each.name === name);
    const keys = records.flatMap(({ key, title, status }) =>
      title === null && status === 'invalid' ? [key] : [],
    );
    if (!entity?.label || entity.application || keys.length === 0) return records;
    const titles = new Map<string, string>();
    const read = async (reader: SourceReader) => {
      for await (const page of reader.rows(keys))
        for (const { key, row } of page) {
          const title = row[entity.label ?? ''];
          if (typeof title === 'string' && title.trim() !== '') titles.set(key, title);
        }
    };
    await readFor(c, (signal) => source.read(entity.query, read, signal), SOURCE_MS).catch(() => null);
    return records.map((record) => ({ ...record, title: record.title ?? titles.get(record.key) ?? null }));
  };
  app.get('/records', async (c) => {
    const page = c.get('page');
    const { searchParams } = new URL(c.req.url);
    const query = readListQuery(searchParams, page.entities);
    if (query === null) return refused(c, 'badRequest');
    const { entity, status, order, after } = query;
    const isFiltered = query.search !== null || query.reason !== null;
    const [counted, found] = await readFor(c, (signal) => {
      const { recordLists } = stateUntil(signal);
      const selection = { ...query, ...ORDERS[order] };
      return Promise.all([
        isFiltered
          ? countMatching(recordLists, entity, selection, () => clock.monotonic())
          : recordLists.count(entity, status, COUNTED),
        readList(recordLists, entity, selection, { after, limit: PAGE_SIZE, now: () => clock.monotonic() }),
      ]);
    });
    return c.html(
      recordsPage(page, {
        query,
        found: { ...found, records: await withTitles(c, entity, found.records) },
        limit: PAGE_SIZE,
        count: counted,
        now: new Date(),
        message: doneMessage(page, searchParams),
      }),
    );
  });

  app.get('/record', async (c) => {
    const page = c.get('page');
    const entities = (await presentEntities?.()) ?? known;
    const entity = entities.find(({ name }) => name === c.req.query('entity'));
    const key = c.req.query('key');
    if (!entity || key === undefined || key === '') return refused(c, 'badRequest');
    const { name } = entity;
    try {
      // Postgres' text has no null character, so no key has one.
      const asked = key.replaceAll('\0', '');
      const [explanation, changes, title] = await readFor(
        c,
        async (signal) => {
          const state = stateUntil(signal);
          const explained = await explainRecord({ ...context, state, signal, entities }, entity, asked);
          const title = await state.recordLists.title(name, explained.key);
          return [explained, await unsentChanges(state, name, explained.key), title] as const;
        },
        PATIENCE_MS + 3_000,
      );
      const message = doneMessage(page, new URL(c.req.url).searchParams);
      const called = title ?? explanation.row?.[entity.label ?? ''];
      return c.html(
        recordPage(page, name, {
          explanation,
          name: typeof called === 'string' ? called : null,
          changes,
          message,
          canLook: canLook(name),
        }),
      );
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'usage') throw error;
      const { noRecord: title, noRecordReason, noRecordHint } = page.texts.refusals;
      // In English also what the source said.
      const hint = (page.language === 'en' ? error.hint : null) ?? noRecordHint;
      return c.html(noticePage(page, { title, reason: noRecordReason(key), hint }), 404);
    }
  });

  app.get(RECORDS_CSV_PATH, (c) => {
    const query = readListQuery(new URL(c.req.url).searchParams, c.get('page').entities);
    if (query === null) return refused(c, 'badRequest');
    const { recordLists } = stateUntil(whenGone(c.env.incoming.socket));
    return sendCsv(c, `${query.entity}.csv`, recordsCsv(recordLists, query.entity, query), emit);
  });

  app.get(FIND_PATH, async (c) => {
    const page = c.get('page');
    const asked = c.req.query('entity') ?? '';
    const words = (c.req.query('key') ?? '').replaceAll('\0', '').trim();
    const among = asked === '' ? page.entities : page.entities.filter((name) => name === asked);
    if (words === '' || among.length === 0) return refused(c, 'badRequest');
    const { exact, lists } = await readFor(c, (signal) =>
      findRecords(stateUntil(signal), among, words, () => clock.monotonic()),
    );
    const [one] = exact;
    if (one !== undefined && exact.length === 1) return c.redirect(recordLink(one.entity, one.key), 303);
    const [list] = lists;
    if (exact.length === 0 && list !== undefined && lists.length === 1)
      return c.redirect(listLink(list, null, { search: words }), 303);
    // Perhaps only the source has it.
    const [only] = among;
    if (exact.length + lists.length === 0 && only !== undefined && among.length === 1)
      return c.redirect(recordLink(only, words), 303);
    return c.html(foundPage(page, words, { exact, lists }), exact.length + lists.length === 0 ? 404 : 200);
  });
}

/** How long a list waits for the source, milliseconds. */
const SOURCE_MS = 2_000;

/** Records that have this key, and entities with records whose key or title contains the words. */
async function findRecords(
  { recordViews, recordLists }: Pick<State, 'recordViews' | 'recordLists'>,
  entities: readonly EntityName[],
  words: string,
  now: () => number,
): Promise<Parameters<typeof foundPage>[2]> {
  const exact: { entity: EntityName; key: string }[] = [];
  const lists: EntityName[] = [];
  for (const entity of entities) {
    const found = await recordViews.find(entity, words);
    if (found) exact.push({ entity, key: found.key });
  }
  if (exact.length > 0) return { exact, lists };
  const selection = { status: null, reason: null, search: words, ...ORDERS.key };
  for (const entity of entities) {
    const { records: first, next } = await readList(recordLists, entity, selection, {
      after: null,
      limit: 1,
      now,
    });
    // Not all were searched: the list goes on.
    if (first.length > 0 || next !== null) lists.push(entity);
  }
  return { exact, lists };
}

/** How many records match a filter: as many as are counted in a second, up to so many. */
async function countMatching(
  lists: Pick<RecordLists, 'page'>,
  entity: EntityName,
  selection: RecordSelection,
  now: () => number,
): Promise<RecordCount> {
  const until = now() + SEARCH_MS / 2;
  let value = 0;
  for (let after: RecordPage['next'] = null; ;) {
    const page = await lists.page(entity, selection, { after, limit: 500 });
    value += page.records.length;
    if (page.next === null) return { value, more: false };
    if (value >= COUNTED || now() >= until) return { value, more: true };
    after = page.next;
  }
}

/** A list as a file, part by part: the head, then page by page. */
async function* recordsCsv(
  lists: Pick<RecordLists, 'page'>,
  entity: EntityName,
  filter: RecordFilter,
): AsyncGenerator<string, void, undefined> {
  yield csvLine(['entity', 'key', 'title', 'status', 'reason', 'last_attempt_at']);
  for await (const lines of listRecords(lists, [entity], filter, Infinity))
    yield lines
      .map((line) =>
        csvLine([line.entity, line.key, line.title, line.status, line.reason, line.lastAttemptAt]),
      )
      .join('');
}

const SEARCH_MS = 2_000;

/**
 * One page of a list. A search for what is rare ends after a few seconds, with what it has found and the place where it
 * goes on. `now`: milliseconds that never jump.
 */
async function readList(
  lists: Pick<RecordLists, 'page'>,
  entity: EntityName,
  selection: RecordSelection,
  { after, limit, now }: { after: RecordPage['next']; limit: number; now: () => number },
): Promise<RecordPage> {
  const until = now() + SEARCH_MS;
  const records: ListedRecord[] = [];
  for (let position = after; ;) {
    const page = await lists.page(entity, selection, { after: position, limit: limit - records.length });
    records.push(...page.records);
    if (page.next === null || records.length === limit || now() >= until) return { records, next: page.next };
    position = page.next;
  }
}
