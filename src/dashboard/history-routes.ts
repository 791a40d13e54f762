import type { Hono } from 'hono';
import { uuidText } from '../domain/key.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';
import { badRequest } from './answers.js';
import type { DashboardEnv } from './dashboard-request.js';
import type { DashboardOptions } from './dashboard-options.js';
import { foldRuns } from './fold-runs.js';
import { INBOX_PATH, RUNS_PATH } from './pages/links.js';
import { inboxPage } from './pages/inbox-page.js';
import { FILTERED_OUTCOMES, runsPage } from './pages/runs-page.js';
import { whenGone } from '../runtime/http/own-origin.js';

/** Lines on a page. */
const LINES = 50;

/** Runs that one page reads at most, also when nearly all of them are folded. */
const MOST_RUNS = 500;

/** Lists of what happened: runs, and job applications that came by webhook. */
export function historyRoutes(
  app: Hono<DashboardEnv>,
  { stateUntil, receivesWebhooks }: Pick<DashboardOptions, 'stateUntil' | 'receivesWebhooks'>,
): void {
  app.get(RUNS_PATH, async (c) => {
    const asked = { outcome: given(c.req.query('outcome')), before: given(c.req.query('before')) };
    const outcome = FILTERED_OUTCOMES.find((name) => name === asked.outcome) ?? null;
    const before = uuidText(asked.before ?? '');
    if (asked.outcome !== outcome || (asked.before !== null && before === null)) return badRequest(c);
    const all = c.req.query('quiet') === 'show';
    const most = all ? LINES : MOST_RUNS;
    const found = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), (signal) =>
      stateUntil(signal).runs.page({ outcome, before, limit: most + 1 }),
    );
    const runs = found.slice(0, most);
    const lines = (all ? runs.map((run) => [run] as const) : foldRuns(runs, before === null)).slice(0, LINES);
    const further = found.length > lines.reduce((sum, line) => sum + line.length, 0);
    return c.html(runsPage(c.get('page'), { query: { outcome, all, before }, lines, further }));
  });

  app.get(INBOX_PATH, async (c) => {
    const asked = given(c.req.query('before'));
    if (asked !== null && !/^[1-9]\d{0,17}$/.test(asked)) return badRequest(c);
    const [unstored, found] = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), (signal) => {
      const { inbox } = stateUntil(signal);
      return Promise.all([inbox.unstored(LINES), inbox.page({ before: asked, limit: LINES + 1 })]);
    });
    return c.html(
      inboxPage(c.get('page'), {
        receives: receivesWebhooks,
        unstored: asked === null ? unstored : [],
        before: asked,
        entries: found.slice(0, LINES),
        further: found.length > LINES,
      }),
    );
  });
}

/** An empty field of a form asks for nothing. */
function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
