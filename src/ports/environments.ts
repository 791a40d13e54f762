import type { Area, EntityName } from '../domain/names.js';
import type { Fence } from './leases.js';

/** The area of the platform that a ledger belongs to. */
export interface PlatformEnvironment {
  readonly area: Area;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly namespace: string;
}

/** The platform and client that this ledger belongs to. */
export interface Environments {
  read(): Promise<readonly PlatformEnvironment[]>;
  /** Adds areas that are not stored yet. */
  add(environments: readonly PlatformEnvironment[]): Promise<void>;
  /** Same platform under a new address or client id. By the holder of the push lease. Errors: SyncError `lease-lost`. */
  keep(fence: Fence, environments: readonly PlatformEnvironment[]): Promise<void>;
  /**
   * Another platform: acknowledgements and references of these entities are cleared; under another namespace their
   * records are deleted, because their ids change. Gives how many records stay. By the holder of the push
   * lease. Errors: SyncError `lease-lost`.
   */
  reset(
    fence: Fence,
    environments: readonly PlatformEnvironment[],
    entities: readonly { readonly name: EntityName; readonly area: Area; readonly repeatable: boolean }[],
  ): Promise<number>;
}
