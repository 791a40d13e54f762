import type { Check } from './check.js';
import { applications } from './checks/applications.js';
import { codes } from './checks/codes.js';
import { columns } from './checks/columns.js';
import { connection } from './checks/connection.js';
import { credentials } from './checks/credentials.js';
import { decisions } from './checks/decisions.js';
import { doubtful } from './checks/doubtful.js';
import { expiry } from './checks/expiry.js';
import { html } from './checks/html.js';
import { invalid } from './checks/invalid.js';
import { joins } from './checks/joins.js';
import { keys } from './checks/keys.js';
import { lastDay } from './checks/last-day.js';
import { parents } from './checks/parents.js';
import { placeholders } from './checks/placeholders.js';
import { planCost } from './checks/plan-cost.js';
import { platform } from './checks/platform.js';
import { platformClock } from './checks/platform-clock.js';
import { platformKind } from './checks/platform-kind.js';
import { publication } from './checks/publication.js';
import { query } from './checks/query.js';
import { replica } from './checks/replica.js';
import { required } from './checks/required.js';
import { rights } from './checks/rights.js';
import { sessionZone } from './checks/session-zone.js';
import { rowSecurity } from './checks/row-security.js';
import { sourceClock } from './checks/source-clock.js';
import { stableRows } from './checks/stable-rows.js';
import { state } from './checks/state.js';
import { tls } from './checks/tls.js';
import { transport } from './checks/transport.js';
import { words } from './checks/words.js';
import { zone } from './checks/zone.js';

/** Every check, in the order in which a person should fix what it finds. */
export const CHECKS: readonly Check[] = [
  connection,
  query,
  rowSecurity,
  keys,
  zone,
  required,
  parents,
  codes,
  invalid,
  planCost,
  stableRows,
  decisions,
  words,
  doubtful,
  publication,
  joins,
  expiry,
  lastDay,
  sessionZone,
  html,
  placeholders,
  applications,
  columns,
  credentials,
  platform,
  platformClock,
  transport,
  platformKind,
  state,
  tls,
  rights,
  replica,
  sourceClock,
];
