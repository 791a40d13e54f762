/** The five kinds of record, spelled as in the configuration, the CLI, the ledger and the metrics. */
export const ENTITY_NAMES = [
  'companies',
  'vacancies',
  'institutions',
  'trainings',
  'application-statuses',
] as const;

export type EntityName = (typeof ENTITY_NAMES)[number];
