import { NOTHING, type Hash } from './hash.js';
import {
  applyResend,
  close,
  confirmLater,
  isSettled,
  NO_CONFIRMATION,
  UNCLAIMED,
  type Row,
} from './ledger-row.js';
import type { Rules } from './rules.js';

/** `verify --all --repair` after a restore. `same`: the platform holds what counts as acknowledged. */
export function verify(row: Row, same: boolean, deadline: number, rules: Rules, sent: Hash): void {
  if (!row.exists || rules.verified === 'none') return;
  if (isSettled(row) && row.claim === UNCLAIMED) {
    if (!same) applyResend(row, 'resync-key', NO_CONFIRMATION, rules, NOTHING);
  } else if (rules.verified === 'all') distrust(row, deadline, rules, sent);
}

/** Of what is not settled nothing is believed any more, and what is under way ends like an attempt without reply. */
export function distrust(row: Row, deadline: number, rules: Rules, sent: Hash): void {
  const over = isSettled(row) || (row.vanished && row.desired === row.acknowledged);
  if (!row.exists || (row.claim === UNCLAIMED && over)) return;
  confirmLater(row, deadline, rules, sent);
  close(row);
  row.acknowledged = NOTHING;
}
