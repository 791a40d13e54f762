import { requestTimestamp } from '../contract/request-timestamp.js';
import type { SignatureProfile } from '../contract/signature-profile.js';

export interface Signer {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly profile: SignatureProfile;
  readonly userAgent: string;
}

export interface RequestToSign {
  readonly method: string;
  /** Path as sent, with the base address's own path, without query and host. */
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
  const timestamp = requestTimestamp(request.now);
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
  return {
    'Client-Id': signer.clientId,
    'Request-Id': request.requestId,
    'Request-Timestamp': timestamp,
    Signature: signature,
    Accept: 'application/json',
    'User-Agent': signer.userAgent,
    ...(request.body === null ? {} : { 'Content-Type': 'application/json' }),
  };
}
