import type { Knex } from 'knex';
import * as ledger from './0001-ledger.js';
import * as inbox from './0002-inbox.js';
import * as applicationStatuses from './0003-application-statuses.js';
import * as schedule from './0004-schedule.js';
import * as age from './0005-age.js';
import * as acknowledgedParent from './0006-acknowledged-parent.js';
import * as pushHour from './0007-push-hour.js';
import * as notice from './0008-notice.js';
import * as movedChildren from './0009-moved-children.js';
import * as possibleParents from './0010-possible-parents.js';
import * as nonce from './0011-nonce.js';
import * as areaState from './0012-area-state.js';
import * as delivery from './0013-delivery.js';
import * as recordLists from './0014-record-lists.js';
import * as history from './0015-history.js';
import * as observation from './0016-observation.js';
import * as expiredAndForeign from './0017-expired-and-foreign.js';
import * as vanished from './0018-vanished.js';
import * as journalGap from './0019-journal-gap.js';
import * as drift from './0020-drift.js';
import * as areaPause from './0021-area-pause.js';

/** A migration of the state schema. Its name is stored when it has run: never rename one. */
export interface SchemaMigration {
  readonly name: string;
  up(knex: Knex, schema: string): Promise<void>;
  down(knex: Knex, schema: string): Promise<void>;
}

/** In the order in which they run. */
export const MIGRATIONS: readonly SchemaMigration[] = [
  { name: '0001-ledger', ...ledger },
  { name: '0002-inbox', ...inbox },
  { name: '0003-application-statuses', ...applicationStatuses },
  { name: '0004-schedule', ...schedule },
  { name: '0005-age', ...age },
  { name: '0006-acknowledged-parent', ...acknowledgedParent },
  { name: '0007-push-hour', ...pushHour },
  { name: '0008-notice', ...notice },
  { name: '0009-moved-children', ...movedChildren },
  { name: '0010-possible-parents', ...possibleParents },
  { name: '0011-nonce', ...nonce },
  { name: '0012-area-state', ...areaState },
  { name: '0013-delivery', ...delivery },
  { name: '0014-record-lists', ...recordLists },
  { name: '0015-history', ...history },
  { name: '0016-observation', ...observation },
  { name: '0017-expired-and-foreign', ...expiredAndForeign },
  { name: '0018-vanished', ...vanished },
  { name: '0019-journal-gap', ...journalGap },
  { name: '0020-drift', ...drift },
  { name: '0021-area-pause', ...areaPause },
];
