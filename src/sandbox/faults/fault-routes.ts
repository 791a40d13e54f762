import { Hono } from 'hono';
import { checkedFaults, parseFaults } from '../../config/faults/read-faults.js';
import { SyncError } from '../../domain/errors.js';
import type { ActiveFaults } from './active-faults.js';

/**
 * GET: the faults and how often each fired; PUT or POST: others, from YAML or JSON as in a faults file; DELETE: none. What
 * cannot be read is answered 422 with `problems [{line, column, path, message}]`, and changes nothing.
 */
export function faultRoutes(faults: ActiveFaults): Hono {
  const routes = new Hono();
  routes.get('/', (c) => c.json(faults.report()));
  routes.on(['PUT', 'POST'], '/', async (c) => {
    try {
      faults.replace(checkedFaults(parseFaults(await c.req.text(), 'body')));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      return c.json({ message: error.message, problems: error.details.problems }, 422);
    }
    return c.json(faults.report());
  });
  routes.delete('/', (c) => {
    faults.replace(checkedFaults({}));
    return c.json(faults.report());
  });
  routes.all('/', (c) =>
    c.json({ message: 'GET shows the faults, PUT replaces them, DELETE removes them.' }, 405, {
      Allow: 'GET, PUT, POST, DELETE',
    }),
  );
  return routes;
}
