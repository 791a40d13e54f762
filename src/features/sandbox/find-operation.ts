import type { Operation } from '../../core/contract/operation.js';

/** The operation that a request asks for, and the id in its path as sent. */
export interface Match {
  readonly operation: Operation;
  readonly id: string;
}

/**
 * @param routes those that are served, with the base path that may stand in front of the path; a path is a template with one `{id}`
 * @returns a function from method and path (without query) to the operation, null when there is none
 */
export function operationFinder(
  routes: readonly { readonly operation: Operation; readonly basePath: string }[],
): (method: string, path: string) => Match | null {
  const templates = routes.flatMap(({ operation, basePath }) => {
    const [before = '', after = ''] = operation.path.split('{id}');
    return [basePath, ''].map((prefix) => ({ operation, before: prefix + before, after }));
  });
  return (method, path) => {
    for (const { operation, before, after } of templates) {
      if (operation.method !== method) continue;
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      const id = path.slice(before.length, path.length - after.length);
      if (id !== '' && !id.includes('/')) return { operation, id };
    }
    return null;
  };
}
