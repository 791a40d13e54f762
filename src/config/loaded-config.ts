import type { Area, EntityName } from '../domain/names.js';
import type { Lookup } from '../entities/lookup.js';
import type { EntityFiles } from './read-entity-files.js';
import type { Transport } from './read-transport.js';
import type { EntitySettings, Settings } from './schema.js';

/** One configured entity with the content of its files. */
export interface LoadedEntity extends EntityFiles {
  readonly name: EntityName;
  readonly settings: EntitySettings;
  readonly onVanished: EntitySettings['onVanished'];
  readonly plainText: readonly string[];
  /** Null: the entity's own assumption. */
  readonly required: readonly string[] | null;
  readonly lookups: Readonly<Record<string, Lookup>>;
}

/** A valid configuration with the content of the files that it names. */
export interface LoadedConfig {
  /** Absolute path; of a tenant of a fleet `tenant NAME`. */
  readonly file: string;
  readonly settings: Settings;
  /** In the order of the registry: parents before their children. */
  readonly entities: ReadonlyMap<EntityName, LoadedEntity>;
  /** Of each configured area. */
  readonly transport: Readonly<Partial<Record<Area, Transport>>>;
  /** The statement of `webhook.sql`, from the setting itself or from its file; null: none. */
  readonly webhookStatement: string | null;
  /** With `withoutCredentials`: the variables of credentials that are unset, by area. Else empty. */
  readonly unsetCredentials: ReadonlyMap<Area, readonly string[]>;
  /** Logged at every start. */
  readonly warnings: readonly string[];
  /** The configuration in effect, in the form of the file, with secrets masked. */
  masked(): unknown;
  /** Every secret in it, to be removed from texts that libraries write. */
  secrets(): readonly string[];
}
