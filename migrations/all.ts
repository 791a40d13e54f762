import type { Knex } from 'knex';
import * as state from './0001-state.js';
import * as learnedRate from './0002-learned-rate.js';
import * as webhookRefused from './0003-webhook-refused.js';
import * as lastReply from './0004-last-reply.js';
import * as platformState from './0005-platform-state.js';
import * as dataSubjects from './0006-data-subjects.js';
import * as operatorAction from './0007-operator-action.js';
import * as etag from './0008-etag.js';
import * as versions from './0009-versions.js';
import * as autovacuum from './0010-autovacuum.js';
import * as looks from './0011-looks.js';
import * as noticeCause from './0012-notice-cause.js';
import * as applicationIds from './0013-application-ids.js';
import * as noConditions from './0014-no-conditions.js';
import * as outages from './0015-outages.js';

/** A migration of the state schema. Its name is stored when it has run: never rename one. */
export interface SchemaMigration {
  readonly name: string;
  up(knex: Knex, schema: string): Promise<void>;
  down(knex: Knex, schema: string): Promise<void>;
}

/** In the order in which they run. */
export const MIGRATIONS: readonly SchemaMigration[] = [
  { name: '0001-state', ...state },
  { name: '0002-learned-rate', ...learnedRate },
  { name: '0003-webhook-refused', ...webhookRefused },
  { name: '0004-last-reply', ...lastReply },
  { name: '0005-platform-state', ...platformState },
  { name: '0006-data-subjects', ...dataSubjects },
  { name: '0007-operator-action', ...operatorAction },
  { name: '0008-etag', ...etag },
  { name: '0009-versions', ...versions },
  { name: '0010-autovacuum', ...autovacuum },
  { name: '0011-looks', ...looks },
  { name: '0012-notice-cause', ...noticeCause },
  { name: '0013-application-ids', ...applicationIds },
  { name: '0014-no-conditions', ...noConditions },
  { name: '0015-outages', ...outages },
];
