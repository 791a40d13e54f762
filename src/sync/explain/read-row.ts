import type { EntityQuery, Source, SourceRow } from '../../ports/source.js';

/** The first row that the partner's query has under one of these keys; null: none. Errors: those of `Source.read`. */
export function readRow(
  source: Source,
  query: EntityQuery,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<SourceRow | null> {
  return source.read(
    query,
    async (reader) => {
      for await (const page of reader.rows(keys)) {
        const [first] = page;
        if (first) return first;
      }
      return null;
    },
    signal,
  );
}
