/**
 * Name of a kind of record, as in the configuration, the CLI, the ledger and the metrics. Which there are, the registry
 * says (`entities/index.ts`); what comes from outside is checked against it where it comes in.
 */
export type EntityName = string;
