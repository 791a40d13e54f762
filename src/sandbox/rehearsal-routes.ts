import { Hono } from 'hono';
import type { RehearsalFile } from '../config/rehearsal-file.js';
import { SyncError } from '../domain/errors.js';

/** Something of a rehearsal that can be changed while the sandbox runs. */
export interface Replaceable<Input> {
  /** In messages: `faults`. */
  readonly noun: string;
  readonly file: Pick<RehearsalFile<Input, unknown>, 'parse'>;
  /** Throws a SyncError `usage` when it is not as in such a file. */
  replace(input: Input): void;
  report(): object;
}

/**
 * GET: what is in force; PUT or POST: other settings, from YAML or JSON as in a file; DELETE: none. What cannot be read
 * is answered 422 with `problems [{line, column, path, message}]`, and changes nothing.
 */
export function rehearsalRoutes<Input>({ noun, file, replace, report }: Replaceable<Input>): Hono {
  const routes = new Hono();
  routes.get('/', (c) => c.json(report()));
  routes.on(['PUT', 'POST'], '/', async (c) => {
    try {
      replace(file.parse(await c.req.text(), 'body'));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      return c.json({ message: error.message, problems: error.details.problems }, 422);
    }
    return c.json(report());
  });
  routes.delete('/', (c) => {
    replace(file.parse('', 'body'));
    return c.json(report());
  });
  routes.all('/', (c) =>
    c.json({ message: `GET shows the ${noun}, PUT replaces them, DELETE removes them.` }, 405, {
      Allow: 'GET, PUT, POST, DELETE',
    }),
  );
  return routes;
}
