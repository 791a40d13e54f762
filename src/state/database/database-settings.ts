/** What texts of errors call a database and its settings. */
export interface DatabaseSettings {
  readonly name: string;
  readonly url: string;
  readonly poolMax: string;
  /** The command that migrates it. */
  readonly migrate: string;
}

export const STATE_SETTINGS: DatabaseSettings = {
  name: 'state database',
  url: 'state.url (or source.url)',
  poolMax: 'state.poolMax and source.poolMax',
  migrate: 'placement-sync migrate',
};

export const FLEET_SETTINGS: DatabaseSettings = {
  name: "fleet's database",
  url: 'fleet.database.url',
  poolMax: 'fleet.database.poolMax',
  migrate: 'placement-sync fleet migrate',
};
