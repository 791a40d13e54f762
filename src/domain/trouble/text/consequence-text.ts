/** What an approval causes, in one language. `records`: `3 vacancies`, or as `records` of the language has it. */
export interface ConsequenceTexts {
  readonly records: (count: string, entity: string, one: boolean) => string;
  readonly rejectedRecords: (count: string | null, entity: string, one: boolean) => string;
  /** Null: the usual status. */
  readonly close: (records: string, status: string | null) => string;
  /** New keys that came while as many vanished. */
  readonly createAgain: (records: string) => string;
  readonly update: (records: string) => string;
  readonly delete: (records: string) => string;
  readonly markVanished: (records: string) => string;
  readonly markInvalid: (records: string) => string;
  readonly sendAgain: (rejectedRecords: string) => string;
  /** What comes before the sentences. */
  readonly ifApproved: string;
  readonly isApproved: string;
}
