import { createHash, createHmac, randomUUID } from 'node:crypto';

export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown;
  readonly clientId?: string;
  readonly secret?: string;
  readonly requestId?: string;
  readonly atMs?: number;
  readonly signal?: AbortSignal;
  /** Put over the computed headers; undefined leaves one out. */
  readonly headers?: Record<string, string | undefined>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: {
    data: Record<string, unknown>;
    meta: Record<string, unknown>;
    message: string;
    errors: Record<string, string[]>;
  };
}

/** Headers and body, signed by hand, so that the sandbox is not tested by the code it runs itself. */
export function signed(request: SignedRequest): {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | undefined;
} {
  const { path, clientId = 'sandbox-client', secret = 'sandbox-secret' } = request;
  const requestId = request.requestId ?? randomUUID();
  const timestamp = new Date(request.atMs ?? Date.now()).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const body =
    request.body === undefined || typeof request.body === 'string'
      ? request.body
      : JSON.stringify(request.body);
  let toSign = `Client-Id:${clientId}\nRequest-Id:${requestId}\nRequest-Timestamp:${timestamp}\nRequest-Target:${path}`;
  if (body !== undefined) toSign += `\nDigest:${createHash('sha256').update(body).digest('base64')}`;
  const headers: Record<string, string | undefined> = {
    Accept: 'application/json',
    'Client-Id': clientId,
    'Request-Id': requestId,
    'Request-Timestamp': timestamp,
    Signature: `HMACSHA256=${createHmac('sha256', secret).update(toSign).digest('base64')}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };
  return { headers, body };
}

/** Sends it and reads the reply. */
export async function send(url: string, request: SignedRequest): Promise<Reply> {
  const { headers, body } = signed(request);
  const response = await fetch(url + request.path, {
    method: request.method,
    headers: Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : text;
  return { status: response.status, headers: response.headers, json: json as Reply['json'] };
}

export const companyPath = (id: string): string => `/api/v1/employers/${id}/company`;
export const vacancyPath = (id: string): string => `/api/v1/jobs/${id}/industrial-vacancy`;
export const institutionPath = (id: string): string => `/api/v1/institutions/${id}`;

/** The least that a strict sandbox takes for a company. */
export const companyBody = (name: string) => ({
  name,
  region: { type: 'city', id: '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30', country_code: null },
});
