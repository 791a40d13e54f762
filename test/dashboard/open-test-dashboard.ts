import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { AdmissionSettings } from '../../src/dashboard/access.js';
import { createDashboard } from '../../src/dashboard/create-dashboard.js';
import type { DashboardOptions } from '../../src/dashboard/dashboard-options.js';
import { SyncError } from '../../src/core/domain/errors.js';
import type { SyncEvent } from '../../src/core/domain/events.js';
import type { EntityName } from '../../src/core/domain/names.js';
import { queryColumns } from '../../src/core/entities/columns.js';
import { entity as entityNamed } from '../../src/core/entities/index.js';
import type { Source } from '../../src/core/ports/source.js';
import { startAdmin } from '../../src/dashboard/start-admin.js';
import { type AppContext, createState, type State } from '../../src/features/create-state.js';
import { boundDatabase } from '../../src/cli/compose/bound-database.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import type { ConfiguredEntity } from '../../src/core/context.js';
import { type AreaWatch, createAreaWatch } from '../../src/features/notices/area-watch.js';
import { openTestState, type TestState } from '../core/ledger/open-test-state.js';

const AREA = {
  baseUrl: 'https://platform.example',
  clientId: 'one',
  ratePerSecond: null,
  concurrency: 4,
  timeoutMs: 1_000,
};

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
}

export interface TestDashboard {
  readonly state: TestState;
  readonly url: string;
  readonly watch: AreaWatch;
  readonly events: SyncEvent[];
  /** Paths of all POST routes. */
  readonly posts: readonly string[];
  /** One request, with nothing but what is said. */
  ask(path: string, asked?: Asked): Promise<Reply>;
  /** A browser: keeps cookies, and says where a form comes from. */
  browser(): Browser;
}

interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Sends a form with the token of the page at `from`. */
  submit(path: string, fields: Readonly<Record<string, string>>, from?: string): Promise<Reply>;
  /** The same with fields that may be repeated. */
  submitAll(path: string, fields: readonly (readonly [string, string])[], from?: string): Promise<Reply>;
}

interface TestDashboardOptions {
  readonly host?: string;
  /** Milliseconds that never jump; the process's own by default. */
  readonly monotonic?: () => number;
  readonly token?: string | null;
  /** The other settings of `http.admin` about who is admitted. */
  readonly admission?: Partial<AdmissionSettings>;
  readonly requireReason?: boolean;
  /** The look at one record at the platform. */
  readonly look?: DashboardOptions['look'];
  /** Stands in for the state that pages read. */
  readonly looking?: (state: State) => State;
  readonly clientId?: string;
  /** The partner's database; absent: it is away. */
  readonly source?: Source;
  /** The query of every entity. */
  readonly sql?: string;
  /** Those that are configured. */
  readonly entities?: readonly EntityName[];
  readonly onVanished?: ConfiguredEntity['onVanished'];
  /** Pages read on a pool of their own. */
  readonly bound?: { readonly places: number; readonly maxWaiting: number };
}

/** The admin listener with a dashboard on a database of the test's own. */
export async function openTestDashboard(options: TestDashboardOptions = {}): Promise<TestDashboard> {
  const state = await openTestState();
  const { host = '127.0.0.1', token = null, looking = (same) => same, clientId = 'one' } = options;
  const { source = AWAY, sql = 'select 1', bound } = options;
  const pages = bound && openPages(state.url, bound);
  const events: SyncEvent[] = [];
  const watch = createAreaWatch({ now: () => Date.now() });
  const settings = {
    areas: { jobs: { ...AREA, clientId } },
    platform: { timeZone: 'Asia/Jakarta' },
    guards: { requireReason: options.requireReason ?? false },
    sweep: { fullEveryMs: 86_400_000 },
    ids: { namespace: '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11' },
  };
  const context = {
    settings,
    state,
    source,
    entities: (options.entities ?? ['companies', 'vacancies', 'application-statuses']).map((name) =>
      configured(name, sql, options.onVanished),
    ),
    clock: { now: () => Date.now(), monotonic: options.monotonic ?? (() => performance.now()) },
    emit: (event: SyncEvent) => events.push(event),
    holder: 'test',
  } as unknown as AppContext;
  const dashboard = createDashboard({
    host,
    token,
    ...options.admission,
    context,
    stateUntil: pages ? (signal) => looking(createState(pages.until(signal))) : () => looking(state),
    look: options.look ?? (() => Promise.resolve('nothing')),
    canLook: (name) => name !== 'application-statuses',
    sourceName: 'portalkerja',
    watch,
    version: '1.2.3',
    runbookUrl: 'https://docs.example/runbook',
    staleAfterMs: 3_600_000,
    receivesWebhooks: true,
  });
  const admin = await startAdmin({
    host,
    port: 0,
    dashboard,
    notReady: () => Promise.resolve(null),
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: 'metrics\n' }),
  });
  onTestFinished(() => admin.close());
  const url = admin.url.replace('0.0.0.0', '127.0.0.1');
  const ask = (path: string, asked: Asked = {}) => send(url, path, asked);
  const posts = dashboard.routes.filter(({ method }) => method === 'POST').map(({ path }) => path);
  return { state, url, watch, events, posts, ask, browser: () => createBrowser(url) };
}

const AWAY: Source = {
  read: () => Promise.reject(new SyncError('source-unavailable', 'the source is away', { scope: 'run' })),
  close: () => Promise.resolve(),
};

function openPages(url: string, bound: { readonly places: number; readonly maxWaiting: number }) {
  const pool = createStateDatabase({ url, poolMax: bound.places, schema: 'placement_sync' });
  const pages = boundDatabase(pool, bound);
  onTestFinished(() => pages.close());
  return pages;
}

function configured(
  name: EntityName,
  sql: string,
  onVanished: ConfiguredEntity['onVanished'] = 'report',
): ConfiguredEntity {
  const entity = entityNamed(name);
  return {
    ...entity,
    query: { entity: name, sql, file: `${name}.sql`, columns: queryColumns(entity, null) },
    mapContext: {
      lookups: {},
      plainText: [],
      required: null,
      namespace: '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11',
    },
    onVanished,
    closedStatus: 'closed',
    requireInbox: true,
    refreshAfterMs: null,
    fingerprint: 'f1',
  };
}

function createBrowser(url: string): Browser {
  const cookies = new Map<string, string>();
  const keep = (reply: Reply) => {
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  };
  const own = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
  const get: Browser['get'] = async (path, headers = {}) =>
    keep(await send(url, path, { headers: { ...own(), ...headers } }));
  const submitAll: Browser['submitAll'] = async (path, fields, from = '/') => {
    const { text } = await get(from);
    const [, form = ''] = /name="form"\s+value="([^"]*)"/.exec(text) ?? [];
    const headers = { ...own(), origin: url, 'sec-fetch-site': 'same-origin' };
    return keep(await send(url, path, { method: 'POST', headers, form: [['form', form], ...fields] }));
  };
  return {
    get,
    submit: (path, fields, from) => submitAll(path, Object.entries(fields), from),
    submitAll,
  };
}

/** Node's own client: fetch would not let a test say Host and Origin. */
function send(url: string, path: string, { method = 'GET', headers = {}, form }: Asked): Promise<Reply> {
  const fields = Array.isArray(form) ? form : Object.entries(form ?? {});
  const body = form === undefined ? undefined : new URLSearchParams(fields).toString();
  const all =
    body === undefined ? headers : { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(new URL(url), { method, path, headers: all }, (reply) => {
      let text = '';
      // A reply that is cut off after its head ends with an error of its own.
      reply.on('error', reject);
      reply.setEncoding('utf8').on('data', (part: string) => (text += part));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    });
    asked.on('error', reject).end(body);
  });
}

/** What a reader sees of a page, on one line. */
export function pageWords(page: string): string {
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');
}

/** The address of the first link with this text. */
export function linkTo(page: string, text: string | RegExp): string {
  for (const [, path = '', words = ''] of page.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a/g)) {
    const seen = pageWords(words).trim();
    if (typeof text === 'string' ? seen === text : text.test(seen)) return path.replaceAll('&amp;', '&');
  }
  throw new Error(`no link "${String(text)}"`);
}
