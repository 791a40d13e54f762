/** What a signature is made of. The same for requests to the platform and for webhooks from it (interface §5). */
export interface SigningInput {
  /** Upper case. */
  readonly method: string;
  readonly clientId: string;
  readonly requestId: string;
  /** `Request-Timestamp` as sent: see `requestTimestamp`. */
  readonly timestamp: string;
  /** Path without host: `/api/v1/...`. For a webhook the path of the receiver. */
  readonly requestTarget: string;
  /** The bytes as sent; null or empty: no body. */
  readonly body: Uint8Array | null;
  /** The body's digest when it is known already; computed from `body` otherwise. */
  readonly digest?: string | null;
}

/** The digest of a body that is computed while it arrives, so that nothing reads the body twice. */
export interface BodyDigest {
  /** The next bytes, in the order of the body. */
  add(bytes: Uint8Array): void;
  /** As `SignatureProfile.digest` of all bytes. Called once, at the end. */
  end(): string | null;
}

/**
 * One way of making the `Signature` header. The interface leaves open what is signed and how it is encoded, so a
 * profile is replaceable. Pure: the same input and secret give the same signature.
 */
export interface SignatureProfile {
  readonly name: string;
  /** The body's digest as it stands in the string to sign; null when the body has no part in it. */
  digest(body: Uint8Array | null): string | null;
  /** The same of a body that comes in pieces. */
  startDigest(): BodyDigest;
  /** The text that is signed. It holds no secret. */
  stringToSign(input: SigningInput): string;
  /** The header's value. */
  signature(input: SigningInput, secret: string): string;
}
