/**
 * SQL for SET: ends the claim of `s` without knowing its outcome. What the platform holds is unknown from now on,
 * and has to be confirmed once a late request can no longer arrive: twice the time-out (`:timeout`, milliseconds)
 * after the claim.
 */
export function endClaims(s: string): string {
  return `acknowledged_hash = null, claim_token = null,
    confirm_at = greatest(${s}.confirm_at, ${s}.attempted_at + 2 * :timeout * interval '1 millisecond')`;
}
