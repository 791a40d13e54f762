import type { Check } from './check.js';
import { order } from './checks/chance.js';
import { kept } from './checks/kept.js';
import { meaning, pay } from './checks/meaning.js';
import { parents } from './checks/parents.js';
import * as places from './checks/places.js';
import * as query from './checks/query.js';
import * as rows from './checks/rows.js';
import { people, unused } from './checks/sources.js';
import * as values from './checks/values.js';
import type { DoctorFacts } from './facts.js';
import { type Finding, type Level, undone } from './finding.js';

/** Every check, in the order in which a person should fix what it finds. */
export const CHECKS: readonly Check[] = [
  places.connection,
  query.query,
  rows.keys,
  query.zone,
  parents,
  values.codes,
  values.invalid,
  rows.stableRows,
  rows.vanished,
  query.decisions,
  values.doubtful,
  kept,
  unused,
  meaning,
  pay,
  people,
  order,
  query.joins,
  values.html,
  values.placeholders,
  rows.applications,
  query.columns,
  places.credentials,
  places.platformClock,
  places.adapter,
  places.clientCertificate,
  places.state,
  places.tls,
  places.rights,
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
