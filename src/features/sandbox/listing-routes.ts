import { Hono } from 'hono';
import { FAULTS_FILE } from './faults-file.js';
import { openApiDocument } from './openapi/document.js';
import { SyncError } from '../../core/domain/errors.js';
import type { Area, EntityName } from '../../core/domain/names.js';
import { ENTITIES } from '../../core/entities/index.js';
import type { ActiveFaults } from './faults.js';
import type { JournalEntry } from './journal.js';
import type { Sandbox } from './sandbox-state.js';
import type { StoredRecord } from './store.js';

/** One record as the sandbox lists it; times are ISO 8601 in UTC. */
export type ListedRecord = Readonly<ReturnType<typeof listed>>;

/** One request as the sandbox lists it; `at` is ISO 8601 in UTC with milliseconds. */
export interface ListedRequest extends Readonly<JournalEntry> {
  readonly at: string;
}

/** What the sandbox holds of one kind; nothing for a kind of the other area. */
export function listRecords(sandbox: Sandbox, area: Area, kind: EntityName): readonly ListedRecord[] {
  return isHeld(area, kind) ? sandbox.store.list(kind).map(listed) : [];
}

/** Every request that is still in the journal, in the order of arrival. */
export function listRequests(sandbox: Sandbox): readonly ListedRequest[] {
  return sandbox.journal.entries().map((entry) => ({ at: new Date(entry.atMs).toISOString(), ...entry }));
}

/** Routes below `/_sandbox`, for people, tests and generators of clients. They ask for no credentials. */
export function listingRoutes(sandbox: Sandbox): Hono {
  const routes = new Hono();
  routes.get('/', (c) =>
    c.json({
      records: ENTITIES.map(({ area, name }) => `/_sandbox/records/${area}/${name}`),
      requests: '/_sandbox/requests',
      faults: '/_sandbox/faults',
      openapi: '/_sandbox/openapi.json',
    }),
  );
  routes.get('/openapi.json', (c) => {
    // As the caller reached it: the port may be mapped to another one.
    const { origin } = new URL(c.req.url);
    const servers = (area: Area) => [{ url: `${origin}${sandbox.basePaths[area]}`, description: 'Sandbox' }];
    return c.json(
      openApiDocument({
        entities: ENTITIES,
        servers: { jobs: servers('jobs'), training: servers('training') },
        operations: sandbox.operations,
      }),
    );
  });
  routes.get('/records/:area/:kind', (c) => {
    const { area, kind } = c.req.param();
    if (!isHeld(area, kind)) return c.json({ message: 'No such kind of record' }, 404);
    return c.json({ records: listRecords(sandbox, area as Area, kind) });
  });
  routes.get('/requests', (c) => c.json({ requests: listRequests(sandbox) }));
  routes.delete('/requests', (c) => {
    sandbox.journal.clear();
    return c.json({ requests: [] });
  });
  routes.route('/faults', faultRoutes(sandbox.faults));
  routes.all('/*', (c) => c.json({ message: 'No such route' }, 404));
  return routes;
}

function isHeld(area: string, kind: string): boolean {
  return ENTITIES.some((each) => each.name === kind && each.area === area);
}

function listed({ id, reference, remoteId, body, createdAtMs, updatedAtMs, puts }: StoredRecord) {
  const createdAt = new Date(createdAtMs).toISOString();
  return { id, reference, remoteId, body, createdAt, updatedAt: new Date(updatedAtMs).toISOString(), puts };
}

/**
 * The faults, which can be changed while the sandbox runs. GET: those in force; PUT or POST: others, from YAML or JSON as
 * in a file; DELETE: none. What cannot be read is answered 422 with `problems [{line, column, path, message}]`, and
 * changes nothing.
 */
function faultRoutes(faults: ActiveFaults): Hono {
  const routes = new Hono();
  const replace = (text: string) => faults.replace(FAULTS_FILE.checked(FAULTS_FILE.parse(text, 'body')));
  routes.get('/', (c) => c.json(faults.report()));
  routes.on(['PUT', 'POST'], '/', async (c) => {
    try {
      replace(await c.req.text());
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      return c.json({ message: error.message, problems: error.details.problems }, 422);
    }
    return c.json(faults.report());
  });
  routes.delete('/', (c) => {
    replace('');
    return c.json(faults.report());
  });
  routes.all('/', (c) =>
    c.json({ message: 'GET shows the faults, PUT replaces them, DELETE removes them.' }, 405, {
      Allow: 'GET, PUT, POST, DELETE',
    }),
  );
  return routes;
}
