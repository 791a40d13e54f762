import { isMap, type Document } from 'yaml';

/**
 * A tenant's configuration with the name of its ledger's schema in it. A replica reads `state.schema` as it reads every
 * setting, and no later version derives another name: so the name becomes part of the text that is stored. The parser
 * writes the whole text again, with comments; `schema` is the last line of the block `state`, and a block that is missing
 * comes last. A message of a replica about a later line may name another number than the file has.
 *
 * @returns null when the block is an alias or has an anchor, because the name would count elsewhere too
 */
export function withLedgerSchema(document: Document, schema: string): string | null {
  const copy = document.clone();
  const state = copy.get('state') ?? null;
  if (state === null) copy.set('state', copy.createNode({ schema }));
  else if (isMap(state) && state.anchor === undefined) state.set('schema', schema);
  else return null;
  return copy.toString({ lineWidth: 0 });
}
