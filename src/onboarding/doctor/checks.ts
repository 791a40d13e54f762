import type { Check } from './check.js';
import {
  connection,
  credentials,
  platform,
  platformClock,
  platformKind,
  replica,
  rights,
  sourceClock,
  state,
  tls,
  transport,
} from './checks/places.js';
import {
  columns,
  decisions,
  expiry,
  joins,
  lastDay,
  planCost,
  publication,
  query,
  rowSecurity,
  sessionZone,
  zone,
} from './checks/query.js';
import { applications, keys, parents, required, stableRows } from './checks/rows.js';
import { codes, doubtful, html, invalid, placeholders, words } from './checks/values.js';
import type { DoctorFacts } from './facts.js';
import { type Finding, type Level, undone } from './finding.js';

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

const URGENCY: Readonly<Record<Level, number>> = { fail: 0, warn: 1, pass: 2 };

/**
 * All findings: what fails before what is doubtful before what passes, each in the order of the checks. A check that
 * cannot be done never ends the others.
 */
export function judgeFacts(facts: DoctorFacts, checks: readonly Check[] = CHECKS): readonly Finding[] {
  const found = checks.flatMap((check) => {
    try {
      return check.judge(facts);
    } catch (error) {
      return [{ id: check.id, entity: null, ...undone(`${(error as Error).name} in the check itself`) }];
    }
  });
  const rank = ({ level, undone: isUndone }: Finding) => URGENCY[level] + (isUndone ? 0.5 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
