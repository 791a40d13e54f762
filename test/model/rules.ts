/** The rules of the protocol, so that each can be taken out. */
export interface Rules {
  /** An outcome counts only while `last_request_id` is its attempt's. */
  readonly fence: boolean;
  /** Statements of a holder match a nonce beside the token, which a ledger that went back hands out twice. */
  readonly nonce: boolean;
  /** A push that begins ends every claim, also of its own: after a restore nobody may serve it any more. */
  readonly forgotten: boolean;
  /**
   * What follows on a restore: `all`: what is settled is compared with the platform, of everything else nothing is
   * believed; `settled`: it is only compared; `none`.
   */
  readonly verified: 'all' | 'settled' | 'none';
  /** `ends`: open claims of others end like attempts without reply; `closes`: they only close; `none`: they stay. */
  readonly takeOver: 'ends' | 'closes' | 'none';
  /** `every` attempt without reply is confirmed; `unless-accepted`: not when its payload is accepted since; `none`. */
  readonly confirm: 'every' | 'unless-accepted' | 'none';
  /** Only an attempt claimed at or after `confirm_at` clears it. */
  readonly clearing: boolean;
  /**
   * Time and lease are asked where a connection takes the request: what a process that stood still writes after that question
   * is written at once. Without it the process writes at any time, also when the confirmation is over.
   */
  readonly asksAtWrite: boolean;
  /** Resend requests: `end` ends an open claim like one without reply; `close` only closes it; `leave`: it stays open. */
  readonly resends: 'end' | 'close' | 'leave';
  /** A resend request for a new reference reaches a record that vanished, unless nothing is left to send of it. */
  readonly vanishedResent: boolean;
  /** It also reaches a record that moved to another parent, while the platform may hold it under this one. */
  readonly movedResent: boolean;
  /** What vanished and was tried stays in the ledger, accepted or not. */
  readonly triedStay: boolean;
  /** What is to be confirmed stays so when it vanishes. */
  readonly vanishedConfirmed: boolean;
  /** Under `report` nothing is desired any more of what vanished. */
  readonly reportedDropped: boolean;
  /** What returns is compared with what was acknowledged; `noted`: with what was desired before it vanished. */
  readonly returns: 'acknowledged' | 'noted';
  /** `close` sends the payload that was accepted last; `desired`: the one desired last. */
  readonly closes: 'accepted' | 'desired';
  /** The payload that was accepted last is kept, however often something else is desired since. */
  readonly keepsAccepted: boolean;
  /** It goes out under the parent of the payload that is closed; `desired`: under the one desired last. */
  readonly closesUnder: 'accepted' | 'desired';
}

export const PROTOCOL: Rules = {
  fence: true,
  nonce: true,
  forgotten: true,
  verified: 'all',
  takeOver: 'ends',
  confirm: 'every',
  clearing: true,
  asksAtWrite: true,
  resends: 'end',
  vanishedResent: true,
  movedResent: true,
  triedStay: true,
  vanishedConfirmed: true,
  reportedDropped: true,
  returns: 'acknowledged',
  closes: 'accepted',
  keepsAccepted: true,
  closesUnder: 'accepted',
};
