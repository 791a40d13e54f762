import type { Operation } from '../contract/operation.js';

/** The operation that a request asks for, and the id in its path as sent. */
export interface Match {
  readonly operation: Operation;
  readonly id: string;
}

/**
 * @param operations those that are served; a path is a template with one `{id}`
 * @returns a function from method and path (without query) to the operation, null when there is none
 */
export function operationFinder(
  operations: readonly Operation[],
): (method: string, path: string) => Match | null {
  const routes = operations.map((operation) => {
    const [before = '', after = ''] = operation.path.split('{id}');
    return { operation, before, after };
  });
  return (method, path) => {
    for (const { operation, before, after } of routes) {
      if (operation.method !== method) continue;
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      const id = path.slice(before.length, path.length - after.length);
      if (id !== '' && !id.includes('/')) return { operation, id };
    }
    return null;
  };
}
