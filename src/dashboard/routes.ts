import type { AppContext } from '../features/create-state.js';
import { noteApproval } from '../features/actions/action-store.js';
import type { Hono } from 'hono';
import { SyncError } from '../core/domain/errors.js';
import { approvalConsequences, type HoldCounts, type VanishedSettings } from '../core/domain/guard.js';
import { uuidText } from '../core/domain/key.js';
import type { EntityName } from '../core/domain/names.js';
import type { Operator } from '../core/domain/operator-action.js';
import { approvalEnd, type AskedAction, readReason } from '../features/actions/asked-action.js';
import { refuseOtherEnvironment } from '../core/run/environment.js';
import { endingOf, TYPED_FROM } from './pages/elements.js';
import type { RecordFilter } from '../features/look/list-records.js';
import {
  type Meant,
  type Named,
  type RetriedStatus,
  resyncRecords,
  retryRecords,
} from '../features/actions/mark-records.js';
import { requestSweep } from '../features/actions/resync.js';
import type { Access } from './access.js';
import type { DashboardOptions } from './dashboard-options.js';
import { type DashboardEnv, type DashboardRequest, localPath, readForm } from './dashboard-request.js';
import { asNoted, type Done as ActionDone } from '../features/actions/operator-actions.js';
import { type Done, withDone } from './done-message.js';
import { actionsPage } from './pages/actions-page.js';
import { inboxPage } from './pages/inbox-page.js';
import { ACTIONS_PATH, INBOX_PATH, readListQuery, RUNS_PATH } from './pages/links.js';
import { FILTERED_OUTCOMES, runsPage } from './pages/run-page.js';
import { foldRuns } from './read-overview.js';
import { answerInTime, PATIENCE_MS, readFor, refused } from './shell.js';

/*
 * The routes of the pages, and of their buttons; those of records and of the journal have files of their own. A page: read the address (what is not valid answers 400), read
 * the state in time (`readFor`), render. A button: the form must be ours, the action marks records or approves, and the answer leads
 * back to the page of the button, whose address says what was done.
 */

const LINES = 50;

/** Runs that one page reads at most, also when nearly all of them are folded. */
const MOST_RUNS = 500;

/** Lists of what happened: runs, and job applications that came by webhook. */
export function historyRoutes(
  app: Hono<DashboardEnv>,
  { stateUntil, receivesWebhooks }: DashboardOptions,
  access: Access,
): void {
  app.get(RUNS_PATH, async (c) => {
    const asked = { outcome: given(c.req.query('outcome')), before: given(c.req.query('before')) };
    const outcome = FILTERED_OUTCOMES.find((name) => name === asked.outcome) ?? null;
    const before = uuidText(asked.before ?? '');
    if (asked.outcome !== outcome || (asked.before !== null && before === null))
      return refused(c, 'badRequest');
    const all = c.req.query('quiet') === 'show';
    const most = all ? LINES : MOST_RUNS;
    const found = await readFor(c, (signal) =>
      stateUntil(signal).runs.page({ outcome, before, limit: most + 1 }),
    );
    const runs = found.slice(0, most);
    const lines = (all ? runs.map((run) => [run] as const) : foldRuns(runs, before === null)).slice(0, LINES);
    const further = found.length > lines.reduce((sum, line) => sum + line.length, 0);
    return c.html(runsPage(c.get('page'), { query: { outcome, all, before }, lines, further }));
  });

  app.get(INBOX_PATH, async (c) => {
    const asked = given(c.req.query('before'));
    if (asked !== null && !NUMBER.test(asked)) return refused(c, 'badRequest');
    // These are people: who looks at them stands in the list of actions.
    // Not by the connection of the buttons: one of them may take long.
    await readFor(c, (signal) => stateUntil(signal).operatorActions.noteReading(access.operator(c)));
    const [refusals, unstored, found] = await readFor(c, (signal) => {
      const { inbox } = stateUntil(signal);
      return Promise.all([
        inbox.refusals(LINES),
        inbox.unstored(LINES),
        inbox.page({ before: asked, limit: LINES + 1 }),
      ]);
    });
    return c.html(
      inboxPage(c.get('page'), {
        receives: receivesWebhooks,
        refusals: asked === null ? refusals : [],
        unstored: asked === null ? unstored : [],
        before: asked,
        entries: found.slice(0, LINES),
        further: found.length > LINES,
      }),
    );
  });

  app.get(ACTIONS_PATH, async (c) => {
    const before = given(c.req.query('before'));
    if (before !== null && !NUMBER.test(before)) return refused(c, 'badRequest');
    const found = await readFor(c, (signal) =>
      stateUntil(signal).operatorActions.list({ before, limit: LINES + 1 }),
    );
    const further = found.length > LINES;
    return c.html(actionsPage(c.get('page'), { before, actions: found.slice(0, LINES), further }));
  });
}

/** A place in a list. */
const NUMBER = /^[1-9]\d{0,17}$/;

/** An empty field of a form asks for nothing. */
function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

type Form = Readonly<Record<string, string>>;

/** What a button was pressed with. */
interface Pressed {
  readonly by: Operator;
  readonly form: Form;
  readonly keys: readonly string[];
}

const APPROVED = { approved: 'approve', 'not-held': 'approveNothing', grown: 'approveGrown' } as const;

/**
 * Everything that a button does. Each answers with 303, so that a reload does not repeat it. `forget` drops the shared
 * readings: the action changed the state.
 */
export function postRoutes(
  app: Hono<DashboardEnv>,
  { context, look }: DashboardOptions,
  access: Access,
  forget: () => void,
): void {
  const { entities, settings } = context;
  const actions = createActions(context);
  const post = (path: string, act: (c: DashboardRequest, pressed: Pressed) => Promise<Response>) =>
    app.post(path, async (c) => {
      const fields = await readForm(c);
      const form = Object.fromEntries(fields);
      // A selection has a field for each record. Postgres' text has no null character, so no key has one.
      const keys = fields.getAll('key').filter((key) => key !== '' && !key.includes('\0'));
      if (!access.isIntended(c, form.form ?? '')) return refused(c, 'form');
      return act(c, { by: access.operator(c), form, keys });
    });

  /** Does it, and goes back to the page of the button. */
  const action = (name: string, act: (entity: EntityName, pressed: Pressed) => Promise<Done> | null) =>
    post(`/actions/${name}`, async (c, pressed) => {
      const { form } = pressed;
      const entity = entities.find((one) => one.name === form.entity);
      if (name === 'approve' && isReasonMissing(form, settings.guards.requireReason))
        return refused(c, 'noReason');
      if (name === 'approve' && entity && isNumberMissing(form, entity)) return refused(c, 'noNumber');
      const doing = entity || name === 'run' ? act(entity?.name ?? '', pressed) : null;
      if (doing === null) return refused(c, 'badRequest');
      const done = await unlessLong(doing.finally(forget));
      return c.redirect(withDone(localPath(form.back), done), 303);
    });

  action('run', async (_entity, { by }) => {
    await actions.run(by);
    return { done: 'run' };
  });
  action('retry', (entity, { by, form: { status } }) =>
    status === 'rejected' || status === 'deferred'
      ? actions.retry(by, entity, {}, [status]).then((count) => ({ done: 'retry', entity, count }))
      : null,
  );
  action('approve', async (entity, { by, form }) => ({
    done: APPROVED[await actions.approve(by, entity, seenCounts(form), readReason(form.reason ?? ''))],
    entity,
  }));
  action('resync', (entity, { by, keys: [key] }) =>
    key === undefined
      ? null
      : actions
          .resync(by, entity, { keys: [key] })
          .then(({ marked }) => ({ done: marked > 0 ? 'resync' : 'resyncNothing', key }) as const),
  );
  action('look', (entity, { keys: [key] }) =>
    key === undefined ? null : look(entity, key).then((outcome) => ({ done: 'look', outcome, key }) as const),
  );
  /** The buttons of a list: `check` counts also those that cannot be sent, because they are read again. */
  const mark = async (act: ListAction, by: Operator, entity: EntityName, meant: Named): Promise<Done> => {
    if (act === 'retry') return { done: act, entity, count: await actions.retry(by, entity, meant) };
    const { named, marked } = await actions.resync(by, entity, meant);
    return act === 'check'
      ? { done: 'checked', entity, count: named }
      : { done: 'resyncSelected', entity, count: marked };
  };
  action('matching', (entity, { by, form }) => {
    const filter = readListQuery(new URLSearchParams(form), [entity]);
    return filter !== null && isListAction(form.act) ? mark(form.act, by, entity, { filter }) : null;
  });
  action('selected', (entity, { by, form: { act }, keys }) => {
    if (act !== undefined && !isListAction(act)) return null;
    // Without a button the Enter key was pressed.
    return act === undefined || keys.length === 0
      ? Promise.resolve({ done: 'noneSelected' })
      : mark(act, by, entity, { keys });
  });
}

const LIST_ACTIONS = ['retry', 'resync', 'check'] as const;
type ListAction = (typeof LIST_ACTIONS)[number];

function isListAction(act: string | undefined): act is ListAction {
  return LIST_ACTIONS.some((one) => one === act);
}

/** Also one that cannot be kept, because it is too long. */
function isReasonMissing({ reason = '' }: Form, required = false): boolean {
  return readReason(reason) === null && (required || reason.trim() !== '');
}

/** Of many records that will end at the platform; people part the thousands as they like. */
function isNumberMissing(form: Form, entity: VanishedSettings): boolean {
  const ending = endingOf(approvalConsequences({ sweep: seenCounts(form), push: null }, entity));
  const typed = (form.typed ?? '').replace(/[., ]/g, '');
  return ending !== undefined && ending.count > TYPED_FROM && typed !== String(ending.count);
}

/** The counts that the page showed beside the button; null: it showed none. */
function seenCounts(form: Form): HoldCounts | null {
  const { vanished = '', invalid = '', changed = '0', neverThere = '0', source = '' } = form;
  const isCount = (text: string) => /^\d{1,12}$/.test(text);
  return [vanished, invalid, changed, neverThere].every(isCount)
    ? {
        neverThere: Number(neverThere),
        vanished: Number(vanished),
        invalid: Number(invalid),
        changed: Number(changed),
        ...(source === '' ? {} : { source }),
      }
    : null;
}

async function unlessLong(doing: Promise<Done>): Promise<Done> {
  try {
    return await answerInTime(PATIENCE_MS, new AbortController().signal, () => doing);
  } catch (error) {
    if (error instanceof SyncError && error.details.timeout !== undefined) return { done: 'underWay' };
    throw error;
  }
}

/** `all that match: rejected, key or title "toko"`: what the list of actions shows of a filter. */
function filterText({ status, search, reason }: RecordFilter): string {
  const parts = [
    ...(status === null ? [] : [status]),
    ...(search ? [`key or title "${search}"`] : []),
    ...(reason ? [`reason "${reason}"`] : []),
  ];
  return `all that match: ${parts.join(', ')}`;
}

/**
 * What the buttons do. Each leaves a row that says who pressed it.
 * Errors of all: SyncError `environment-changed`, `state-unavailable`, `state-failed`.
 */
function createActions({ state, settings, emit }: AppContext) {
  const noted = <T>(by: Operator, asked: AskedAction, work: (id: string) => Promise<ActionDone<T>>) =>
    asNoted({ actions: state.operatorActions, emit }, by, asked, async (id) => {
      await refuseOtherEnvironment({ state, settings });
      return work(id);
    });
  const which = (meant: Meant) => ({
    ...(meant.keys ? { keys: meant.keys } : {}),
    ...(meant.filter ? { reason: filterText(meant.filter) } : {}),
  });
  return {
    run: (by: Operator) =>
      noted(by, { action: 'run', entity: null }, async () => ({ result: await requestSweep(state) })),
    /** Gives their number. */
    retry: (by: Operator, entity: EntityName, meant: Meant, statuses?: readonly RetriedStatus[]) =>
      noted(by, { action: 'retry', entity, ...which(meant) }, async () => {
        const count = await retryRecords(state, entity, meant, statuses ? { statuses } : {});
        return { result: count, counts: { [entity]: count } };
      }),
    resync: (by: Operator, entity: EntityName, meant: Named) =>
      noted(by, { action: 'resync', entity, ...which(meant) }, async () => {
        const result = await resyncRecords(state, settings, entity, meant);
        return { result, counts: { [entity]: result.marked } };
      }),
    /** `seen`: the counts that the page showed; null: it showed none. */
    approve: (by: Operator, entity: EntityName, seen: HoldCounts | null, reason: string | null) =>
      noted(by, { action: 'approve', entity, reason }, async (id) => {
        const approved = await state.approve(entity, seen, noteApproval(id));
        const { sweep, push, grown } = approved;
        const result = grown ? 'grown' : sweep || push ? 'approved' : 'not-held';
        return { result, ...approvalEnd(approved) } as const;
      }),
  };
}
