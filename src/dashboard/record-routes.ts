import type { Hono } from 'hono';
import type { EntityName } from '../domain/entity-name.js';
import { SyncError } from '../domain/errors.js';
import { recordName } from '../entities/record-name.js';
import { RECORD_STATUSES } from '../domain/record-status.js';
import type { StatusCounts } from '../ports/records.js';
import { unsentChanges } from '../sync/explain/unsent-changes.js';
import { explainRecord } from '../sync/explain/explain-record.js';
import { badRequest } from './answers.js';
import type { DashboardEnv } from './dashboard-request.js';
import type { DashboardOptions } from './dashboard-options.js';
import { doneMessage } from './done-message.js';
import { recordLink } from './pages/links.js';
import { noticePage } from './pages/plain-pages.js';
import { recordPage } from './pages/record-page.js';
import { recordsPage } from './pages/records-page.js';
import { whenGone } from '../runtime/http/when-gone.js';
import type { SharedReading } from './shared-reading.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';

/** Records on a page of a list. */
const PAGE_SIZE = 50;

/** The lists by status, and one record's page. */
export function recordRoutes(
  app: Hono<DashboardEnv>,
  { stateUntil, source, entities, clock, settings }: DashboardOptions,
  counted: ReadonlyMap<EntityName, SharedReading<StatusCounts>>,
): void {
  app.get('/records', async (c) => {
    const page = c.get('page');
    const entity = page.entities.find((name) => name === c.req.query('entity'));
    const status = RECORD_STATUSES.find((name) => name === c.req.query('status'));
    const after = c.req.query('after') ?? null;
    if (!entity || !status) return badRequest(c);
    const counting = counted.get(entity);
    if (!counting) return badRequest(c);
    const [counts, found] = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), (signal) =>
      Promise.all([
        counting.read(),
        stateUntil(signal).recordLists.page(entity, status, {
          after: storable(after),
          limit: PAGE_SIZE + 1,
        }),
      ]),
    );
    return c.html(
      recordsPage(page, {
        entity,
        status,
        after,
        records: found.slice(0, PAGE_SIZE),
        further: found.length > PAGE_SIZE,
        count: counts[status],
        now: new Date(),
        message: doneMessage(page, new URL(c.req.url).searchParams),
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
      const asked = storable(key) ?? '';
      const [explanation, changes] = await answerInTime(
        PATIENCE_MS + 3_000,
        whenGone(c.env.incoming.socket),
        async (signal) => {
          const state = stateUntil(signal);
          const explained = await explainRecord({ source, state, clock, signal, settings }, entity, asked);
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

/** Postgres' text has no null character, so no key has one. */
function storable(key: string | null): string | null {
  return key?.replaceAll('\0', '') ?? null;
}
