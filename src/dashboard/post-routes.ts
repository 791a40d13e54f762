import type { Hono } from 'hono';
import type { EntityName } from '../domain/names.js';
import type { HoldCounts } from '../domain/guard.js';
import type { Access } from './access/access.js';
import type { Actions } from './actions.js';
import { badRequest, notIntended } from './answers.js';
import type { DashboardEnv, DashboardRequest } from './dashboard-request.js';
import { withDone, type Done } from './done-message.js';
import { SyncError } from '../domain/errors.js';
import { localPath } from './local-path.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';
import { readForm } from './read-form.js';

export interface PostOptions {
  readonly access: Access;
  readonly actions: Actions;
  readonly entities: readonly { readonly name: EntityName }[];
  /** Drops the shared readings: the action changed the state. */
  readonly forget: () => void;
}

type Form = Readonly<Record<string, string>>;

const APPROVED = { approved: 'approve', 'not-held': 'approveNothing', grown: 'approveGrown' } as const;

/** Everything that a button does. Each answers with 303, so that a reload does not repeat it. */
export function postRoutes(app: Hono<DashboardEnv>, options: PostOptions): void {
  const { access, actions, entities, forget } = options;

  const post = (
    path: string,
    act: (c: DashboardRequest, form: Form, keys: readonly string[]) => Promise<Response>,
  ) =>
    app.post(path, async (c) => {
      const fields = await readForm(c);
      const form = Object.fromEntries(fields);
      // A selection has a field for each record. Postgres' text has no null character, so no key has one.
      const keys = fields.getAll('key').filter((key) => key !== '' && !key.includes('\0'));
      return access.isIntended(c, form.form ?? '') ? act(c, form, keys) : notIntended(c);
    });

  /** Does it, and goes back to the page of the button. */
  const action = (
    name: string,
    act: (entity: EntityName, form: Form, keys: readonly string[]) => Promise<Done> | null,
  ) =>
    post(`/actions/${name}`, async (c, form, keys) => {
      const entity = entities.find((one) => one.name === form.entity);
      const doing = entity || name === 'run' ? act(entity?.name ?? '', form, keys) : null;
      if (doing === null) return badRequest(c);
      const done = await unlessLong(doing.finally(forget));
      return c.redirect(withDone(localPath(form.back), done), 303);
    });

  action('run', async () => {
    await actions.run();
    return { done: 'run' };
  });
  action('retry', (entity, { status }) =>
    status === 'rejected' || status === 'deferred'
      ? actions.retry(entity, status).then((count) => ({ done: 'retry', entity, count }))
      : null,
  );
  action('approve', async (entity, form) => ({
    done: APPROVED[await actions.approve(entity, seenCounts(form))],
    entity,
  }));
  action('resync', (entity, _form, [key]) =>
    key === undefined
      ? null
      : actions
          .resync(entity, [key])
          .then((marked) => ({ done: marked > 0 ? ('resync' as const) : ('resyncNothing' as const), key })),
  );
  action('selected', (entity, { act }, keys) => {
    if (act !== undefined && act !== 'retry' && act !== 'resync') return null;
    // Without a button the Enter key was pressed.
    if (act === undefined || keys.length === 0) return Promise.resolve({ done: 'noneSelected' });
    return act === 'retry'
      ? actions.retrySelected(entity, keys).then((count) => ({ done: 'retry', entity, count }))
      : actions.resync(entity, keys).then((count) => ({ done: 'resyncSelected', entity, count }));
  });
}

/** The counts that the page showed beside the button; null: it showed none. */
function seenCounts({ vanished = '', invalid = '', changed = '0' }: Form): HoldCounts | null {
  const isCount = (text: string) => /^\d{1,12}$/.test(text);
  return isCount(vanished) && isCount(invalid) && isCount(changed)
    ? { vanished: Number(vanished), invalid: Number(invalid), changed: Number(changed) }
    : null;
}

/** A long action goes on in the background. */
async function unlessLong(doing: Promise<Done>): Promise<Done> {
  try {
    return await answerInTime(PATIENCE_MS, new AbortController().signal, () => doing);
  } catch (error) {
    if (error instanceof SyncError && error.details.timeout !== undefined) return { done: 'underWay' };
    throw error;
  }
}
