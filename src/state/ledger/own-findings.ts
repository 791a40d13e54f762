/** SQL: a finding of this sweep of this entity. */
export const OWN_FINDINGS = 'sweep_token = :token and sweep_nonce = :nonce and entity = :entity';
