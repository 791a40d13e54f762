import type { Area } from '../domain/area.js';

export interface Environment {
  readonly area: Area;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly namespace: string;
}

/** Which platform, under which client, this ledger speaks of. */
export interface Environments {
  read(): Promise<readonly Environment[]>;
  /** Adds areas that are not there yet. */
  add(environments: readonly Environment[]): Promise<void>;
  /** Same platform under a new address or client id. */
  keep(environments: readonly Environment[]): Promise<void>;
  /** Another platform: acknowledgements and references of the areas' entities are cleared. Gives how many records. */
  reset(environments: readonly Environment[], entities: readonly string[]): Promise<number>;
}
