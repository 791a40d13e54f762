/** How the row of a record stands against what the last applied sweep stored of it. */
export interface SourceDifference {
  /**
   * - `new`: the query has it, the ledger has not.
   * - `back`: it had vanished, and the query has it again.
   * - `gone`: the ledger has it, the query has not.
   * - `changed`: its payload is another one.
   * - `broken`, `corrected`: only now the row has errors, or none.
   */
  readonly kind: 'new' | 'back' | 'gone' | 'changed' | 'broken' | 'corrected';
  /** Fields of the body that differ; empty: not known. */
  readonly fields: readonly string[];
  /** When a sweep was last applied, ISO time; null: never. */
  readonly sweptAt: string | null;
  /** A guard keeps back what sweeps find. */
  readonly held: boolean;
  /** Query, lookups or settings are others than those of the last applied sweep. */
  readonly mappingChanged: boolean;
  /**
   * The row has the row version of the ledger, so sweeps pass over it. `until`: when the next full sweep is due, ISO
   * time. Null: the next sweep reads it.
   */
  readonly passedOver: { readonly until: string; readonly command: string } | null;
}

/** Most fields that are named. */
const NAMED = 8;

/** What the source has now, and why the ledger does not have it. `entity`: its name. Pure. */
export function describeDifference(entity: string, difference: SourceDifference): string {
  const { kind, fields, sweptAt, held, mappingChanged, passedOver } = difference;
  if (kind === 'gone')
    return held
      ? 'It is no longer in the query’s result. The hold keeps that from being applied.'
      : 'It is no longer in the query’s result; the next sweep will see that.';
  if (kind === 'new' && sweptAt === null && !held)
    return `No run has read ${entity} yet, so the ledger does not have this record. The next run reads it.`;
  const seen = SEEN[kind](named(fields));
  if (held) return `${seen} The hold keeps that from being applied.`;
  if (passedOver !== null)
    return `${seen} The query’s row_version did not change, so the sweeps did not read the row. It is read in full at ${passedOver.until} (sweep.fullEvery), or at once by: ${passedOver.command}`;
  const since = `since the last sweep${sweptAt === null ? '' : ` (${sweptAt})`}`;
  return mappingChanged && kind !== 'new' && kind !== 'back'
    ? `${seen} Query, lookups or settings changed ${since}; the next sweep reads every row.`
    : `${SINCE[kind](since, named(fields))}; the next sweep will read it.`;
}

type Kind = Exclude<SourceDifference['kind'], 'gone'>;

/** What is seen, as a sentence of its own. */
const SEEN: Readonly<Record<Kind, (fields: string) => string>> = {
  new: () => 'The query has this record, the ledger does not have it yet.',
  back: () => 'The query has this record again.',
  changed: (fields) => `The row has changed${fields}: the ledger has another payload.`,
  broken: () => 'The row has errors now; the ledger has it without errors.',
  corrected: () => 'The row has no errors now; the ledger has it with errors.',
};

/** The same for what a sweep will see. `since`: the last one. */
const SINCE: Readonly<Record<Kind, (since: string, fields: string) => string>> = {
  new: (since) => `The query has this record only ${since}`,
  back: (since) => `The query has this record again ${since}`,
  changed: (since, fields) => `The row has changed ${since}${fields}`,
  broken: (since) => `The row has errors ${since}`,
  corrected: (since) => `The row has no more errors ${since}`,
};

function named(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return ` in ${fields.slice(0, NAMED).join(', ')}${more}`;
}
