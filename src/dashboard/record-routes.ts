import type { Hono } from 'hono';
import { SyncError } from '../domain/errors.js';
import { recordName } from '../entities/index.js';
import { unsentChanges } from '../sync/explain/read-status.js';
import { explainRecord } from '../sync/explain/explain-record.js';
import { badRequest } from './answers.js';
import type { DashboardEnv } from './dashboard-request.js';
import type { DashboardOptions } from './dashboard-options.js';
import { doneMessage } from './done-message.js';
import { ORDERS, readListQuery } from './list-query.js';
import { recordLink } from './pages/links.js';
import { noticePage } from './pages/plain-pages.js';
import { recordPage } from './pages/record-page.js';
import { recordsPage } from './pages/records-page.js';
import { readList } from './read-list.js';
import { whenGone } from '../runtime/http/own-origin.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';

/** Records on a page of a list. */
const PAGE_SIZE = 50;

/** Records are counted up to this number: the count of a million would take longer than the list. */
const COUNTED = 10_000;

/** The lists, and one record's page. */
export function recordRoutes(
  app: Hono<DashboardEnv>,
  { stateUntil, source, entities, clock, settings }: DashboardOptions,
): void {
  app.get('/records', async (c) => {
    const page = c.get('page');
    const { searchParams } = new URL(c.req.url);
    const query = readListQuery(searchParams, page.entities);
    if (query === null) return badRequest(c);
    const { entity, status, order, after } = query;
    const [counted, found] = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), (signal) => {
      const { recordLists } = stateUntil(signal);
      const selection = { ...query, ...ORDERS[order] };
      return Promise.all([
        query.search === null && query.reason === null ? recordLists.count(entity, status, COUNTED) : null,
        readList(recordLists, entity, selection, { after, limit: PAGE_SIZE, now: () => clock.monotonic() }),
      ]);
    });
    return c.html(
      recordsPage(page, {
        query,
        found,
        limit: PAGE_SIZE,
        count: counted,
        now: new Date(),
        message: doneMessage(page, searchParams),
      }),
    );
  });

  app.get('/record', async (c) => {
    const page = c.get('page');
    const entity = entities.find(({ name }) => name === c.req.query('entity'));
    const key = c.req.query('key');
    if (!entity || key === undefined || key === '') return badRequest(c);
    const { name } = entity;
    try {
      // Postgres' text has no null character, so no key has one.
      const asked = key.replaceAll('\0', '');
      const [explanation, changes] = await answerInTime(
        PATIENCE_MS + 3_000,
        whenGone(c.env.incoming.socket),
        async (signal) => {
          const state = stateUntil(signal);
          const explained = await explainRecord(
            { source, state, clock, signal, settings, entities },
            entity,
            asked,
          );
          return [explained, await unsentChanges(state, name, explained.key)] as const;
        },
      );
      // Links and forms of the page repeat its address, so it must have the key that is shown.
      const shown = recordName(name, explanation.key, explanation.platformId);
      if (shown !== explanation.key) return c.redirect(recordLink(name, shown), 303);
      const message = doneMessage(page, new URL(c.req.url).searchParams);
      return c.html(recordPage(page, name, { explanation, changes, message }));
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'usage') throw error;
      const notice = { title: page.texts.refusals.noRecord, reason: error.message, hint: error.hint ?? '' };
      return c.html(noticePage(page, notice), 404);
    }
  });
}
