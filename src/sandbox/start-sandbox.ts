import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { listen, takeTarget } from '../runtime/http/listener.js';
import { hostInAddress } from '../runtime/loopback.js';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { DeviationsInput } from '../config/deviations/deviation-schema.js';
import type { FaultsInput } from '../config/faults/fault-schema.js';
import { FAULTS_FILE } from '../config/faults/read-faults.js';
import type { VacancyBody } from '../contract/vacancy.js';
import { APPLIED_TO } from '../contract/webhook/read-application.js';
import type { Area, EntityName } from '../domain/names.js';
import { answerRequest } from './answer-request.js';
import type { HostRules } from './answers-to.js';
import { openData } from './data/open-data.js';
import { createActiveFaults, type FaultsReport } from './faults/active-faults.js';
import { guardBrowsers } from './guard-browsers.js';
import {
  listRecords,
  listRequests,
  listingRoutes,
  type ListedRecord,
  type ListedRequest,
} from './listing-routes.js';
import type { SandboxOptions } from './sandbox-options.js';
import { createSandboxState, type Sandbox } from './sandbox-state.js';
import { createStore } from './store.js';
import {
  sendApplication,
  type ApplicationOptions,
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
  /** How it differs from the next request on, null: not at all. Throws a SyncError `usage` as `setFaults`. */
  setDeviations(deviations: DeviationsInput | null): void;
  deviations(): DeviationsInput;
  /** Loses a record, as if it had never been put. False: there was none. */
  forget(kind: EntityName, id: string): boolean;
  /**
   * Sends a job application by webhook, signed with the credentials of the job-placement area. A vacancy that it
   * holds gives the job's id and title. Rejects with fetch's own error when the receiver does not answer.
   */
  sendApplication(options: ApplicationOptions): Promise<SentApplication>;
  /**
   * Ends idle and active connections at once; a request that waits is not processed any more. Then writes what the
   * data folder does not hold yet; rejects with a SyncError `unexpected` when that fails.
   */
  close(): Promise<void>;
}

/**
 * Serves a local copy of the platform over HTTP, both areas at one address (their paths differ). What it holds is
 * in memory, and in a folder when there is `data`. Rejects with Node's own error when the port is taken, and
 * with a SyncError `usage` when the folder cannot be used or the faults are not as in a faults file.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const faults = createActiveFaults(FAULTS_FILE.checked(options.faults ?? {}));
  const closing = new AbortController();
  const data =
    options.data === undefined
      ? { store: createStore(), close: () => Promise.resolve() }
      : await openData(options.data, (error) => options.onDataFailure?.(error));
  const sandbox = createSandboxState(options, data.store, faults, (ms) =>
    wait(ms, undefined, { signal: closing.signal }),
  );
  const host = options.host ?? '127.0.0.1';
  const names = (options.allowHosts ?? []).map((name) => name.toLowerCase());
  const answering = getRequestListener(application(sandbox, { listening: host, names }).fetch);
  const server = createServer((incoming, outgoing) => {
    // A target that names no host stays as it is, and is no route.
    takeTarget(incoming);
    void answering(incoming, outgoing);
  });
  // Longer than a client's pause between two runs, so that no request meets a connection about to end.
  server.keepAliveTimeout = 120_000;
  await listen(server, options.port ?? 0, host).catch(async (error: unknown) => {
    await data.close();
    throw error;
  });
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
    setDeviations: (next) => sandbox.deviations.replace(next ?? {}),
    deviations: () => sandbox.deviations.report(),
    forget: (kind, id) => sandbox.store.forget(kind, id),
    sendApplication: (application) => sendFrom(sandbox, application),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await data.close();
    },
  };
}

async function sendFrom(sandbox: Sandbox, application: ApplicationOptions): Promise<SentApplication> {
  const { vacancyId, ...rest } = application;
  const held = vacancyId === undefined ? null : sandbox.store.find(APPLIED_TO.name, vacancyId);
  const { timeZone } = sandbox;
  const { profile } = sandbox.deviations.dialect('jobs');
  const sent = await sendApplication(
    held === null
      ? application
      : { jobId: held.remoteId, jobTitle: (held.body as VacancyBody).title, ...rest },
    { client: sandbox.clients.jobs, profile, timeZone, now: () => sandbox.now() },
  );
  if (sent.applicationId !== null) sandbox.sentApplications.add(sent.applicationId.toLowerCase());
  return sent;
}

function application(sandbox: Sandbox, hosts: HostRules): Hono<{ Bindings: HttpBindings }> {
  // Not strict: /_sandbox/ is /_sandbox.
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  app.use(guardBrowsers(hosts));
  app.route('/_sandbox', listingRoutes(sandbox));
  app.all('*', (c) => answerRequest(sandbox, c.env));
  app.onError((error, c) =>
    error instanceof HTTPException ? error.getResponse() : c.json({ message: error.message }, 500),
  );
  return app;
}
