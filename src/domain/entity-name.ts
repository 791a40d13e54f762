/**
 * Name of a kind of record, as in the configuration, the CLI, the ledger and the metrics. The registry lists them
 * (`entities/index.ts`); each name from outside is checked against it on entry.
 */
export type EntityName = string;
