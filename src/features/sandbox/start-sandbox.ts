import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultsInput } from './fault-rules.js';
import { FAULTS_FILE } from './faults-file.js';
import type { VacancyBody } from '../../core/contract/vacancy.js';
import { APPLIED_TO } from '../webhook/contract/read-application.js';
import type { Area, EntityName } from '../../core/domain/names.js';
import { listen, takeTarget } from '../http/listener.js';
import { namesThisMachine } from '../http/own-origin.js';
import { hostInAddress, listensOnLoopback } from '../../core/runtime/loopback.js';
import { answerRequest } from './answer-request.js';
import { ActiveFaults, type FaultsReport } from './faults.js';
import type { SandboxOptions } from './sandbox-options.js';
import {
  type ListedRecord,
  type ListedRequest,
  listingRoutes,
  listRecords,
  listRequests,
} from './listing-routes.js';
import { createSandboxState, type Sandbox } from './sandbox-state.js';
import { createStore } from './store.js';
import {
  type ApplicationOptions,
  sendApplication,
  type SentApplication,
} from './webhook/send-application.js';

export interface RunningSandbox {
  /** Base address of both areas, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** What it holds of one kind, in the order of creation. */
  records(area: Area, kind: EntityName): readonly ListedRecord[];
  /** Requests in the order of arrival. */
  requests(): readonly ListedRequest[];
  clearRequests(): void;
  /**
   * Other faults from the next request on, null: none. Counting begins again; requests that wait for late processing
   * are still processed. Throws a SyncError `usage` when they are not as in a faults file.
   */
  setFaults(faults: FaultsInput | null): void;
  /** The faults and how many requests each took. */
  faults(): FaultsReport;
  /** Loses a record, as if it had never been put. False: there was none. */
  forget(kind: EntityName, id: string): boolean;
  /**
   * Sends a job application by webhook, signed with the credentials of the job-placement area. A vacancy that it
   * holds gives the job's id and title. Rejects with fetch's own error when the receiver does not answer.
   */
  sendApplication(options: ApplicationOptions): Promise<SentApplication>;
  /** Ends idle and active connections at once; a request that waits is not processed any more. */
  close(): Promise<void>;
}

/**
 * Serves a local copy of the platform over HTTP, both areas at one address (their paths differ). A request passes the
 * guard of names, then goes to the sandbox's own routes (`listing-routes`) or to the interface
 * (`answer-request`). What it holds is in memory. Rejects with Node's own error when the port is taken, and with a
 * SyncError `usage` when the faults are not as in a faults file.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const faults = new ActiveFaults(FAULTS_FILE.checked(options.faults ?? {}));
  const closing = new AbortController();
  const sandbox = createSandboxState(options, createStore(), faults, (ms) =>
    wait(ms, undefined, { signal: closing.signal }),
  );
  const host = options.host ?? '127.0.0.1';
  const answering = getRequestListener(createApp(sandbox, host).fetch);
  const server = createServer((incoming, outgoing) => {
    // A target that names no host stays as it is, and is no route.
    takeTarget(incoming);
    void answering(incoming, outgoing);
  });
  // Longer than a client's pause between two runs, so that no request meets a connection about to end.
  server.keepAliveTimeout = 120_000;
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${hostInAddress(host)}:${port}`,
    port,
    records: (area, kind) => listRecords(sandbox, area, kind),
    requests: () => listRequests(sandbox),
    clearRequests: () => {
      sandbox.journal.clear();
    },
    setFaults: (next) => faults.replace(FAULTS_FILE.checked(next ?? {})),
    faults: () => faults.report(),
    forget: (kind, id) => sandbox.store.forget(kind, id),
    sendApplication: (application) => sendFrom(sandbox, application),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendFrom(sandbox: Sandbox, application: ApplicationOptions): Promise<SentApplication> {
  const { vacancyId, ...rest } = application;
  const held = vacancyId === undefined ? null : sandbox.store.find(APPLIED_TO.name, vacancyId);
  return sendApplication(
    held === null
      ? application
      : { jobId: held.remoteId, jobTitle: (held.body as VacancyBody).title, ...rest },
    {
      client: sandbox.clients.jobs,
      profile: sandbox.profiles.jobs,
      timeZone: sandbox.timeZone,
      now: () => sandbox.now(),
    },
  );
}

function createApp(sandbox: Sandbox, host: string): Hono<{ Bindings: HttpBindings }> {
  // Not strict: /_sandbox/ is /_sandbox.
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  app.use(refuseOtherNames(host));
  app.route('/_sandbox', listingRoutes(sandbox));
  app.all('*', (c) => answerRequest(sandbox, c.env));
  app.onError((error, c) =>
    error instanceof HTTPException ? error.getResponse() : c.json({ message: error.message }, 500),
  );
  return app;
}

/**
 * A page of the internet can have its own name lead to this machine, and then read what it finds here (DNS rebinding). So a
 * sandbox on loopback answers only to names of this machine.
 */
function refuseOtherNames(listening: string): MiddlewareHandler {
  const isOpen = !listensOnLoopback(listening);
  return async (c, next) => {
    if (isOpen || namesThisMachine(c.req.header('host'))) return next();
    return c.json(
      { message: 'The sandbox answers only to names of this machine. Hint: sandbox --host HOST' },
      403,
    );
  };
}
