import { requestTimestamp, type RequestTimestampForm } from '../contract/time.js';
import type { SignatureProfile } from '../contract/signature.js';

export interface Signer {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly profile: SignatureProfile;
  readonly userAgent: string;
  /** Form of `Request-Timestamp`. */
  readonly timestamp: RequestTimestampForm;
  /** Further headers. One of the same name, in any case, replaces Accept or User-Agent. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RequestToSign {
  readonly method: string;
  /** Path that is signed, without query and host. */
  readonly requestTarget: string;
  readonly requestId: string;
  /** The bytes that will be sent; null: no body. */
  readonly body: Uint8Array | null;
  /** Moment of sending, milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Every header that the worker sets: the four of interface §5 and those for the form of the bodies. The digest is part
 * of the signed text, not a header.
 */
export function signedHeaders(signer: Signer, request: RequestToSign): Record<string, string> {
  const timestamp = requestTimestamp(request.now, signer.timestamp);
  const signature = signer.profile.signature(
    {
      method: request.method,
      clientId: signer.clientId,
      requestId: request.requestId,
      timestamp,
      requestTarget: request.requestTarget,
      body: request.body,
    },
    signer.clientSecret,
  );
  const own = {
    Accept: 'application/json',
    'User-Agent': signer.userAgent,
  };
  const replaced = new Set(Object.keys(signer.headers).map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))),
    ...signer.headers,
    'Client-Id': signer.clientId,
    'Request-Id': request.requestId,
    'Request-Timestamp': timestamp,
    Signature: signature,
    ...(request.body === null ? {} : { 'Content-Type': 'application/json' }),
  };
}
