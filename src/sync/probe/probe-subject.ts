import type { Issue } from '../../domain/issue.js';
import type { JsonObject } from '../../domain/row.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/** A record that a first contact sends: its row as it is now. */
export interface ProbeSubject {
  readonly entity: ConfiguredEntity;
  readonly key: string;
  readonly platformId: string;
  readonly parentPlatformId: string | null;
  readonly rowVersion: string | null;
  readonly payload: JsonObject;
  readonly hash: string;
}

/** The records that were named; a record that is not valid has issues instead. */
export type ReadSubject =
  | { readonly subject: ProbeSubject }
  | { readonly entity: ConfiguredEntity; readonly key: string; readonly issues: readonly Issue[] };

export interface ProbeSubjects {
  readonly parent: ProbeSubject;
  /** A record that names the parent; null: none was named. */
  readonly child: ProbeSubject | null;
}
