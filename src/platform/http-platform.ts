import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { operationPath, type Operations } from '../contract/operation.js';
import type { SignatureProfile } from '../contract/signature-profile.js';
import { signatureProfile, type SignatureProfileName } from '../contract/signature-profiles.js';
import type { JsonObject } from '../domain/json.js';
import type { Reply } from '../domain/reply/reply.js';
import { operation as operationNamed } from '../entities/operations.js';
import type { Clock } from '../ports/clock.js';
import type { Platform } from '../ports/platform.js';
import { closeStrayConnections } from './close-stray-connections.js';
import { exchange } from './exchange.js';
import { readReply } from './read-reply.js';
import { signedHeaders } from './signed-headers.js';

/**
 * An idle connection closes before usual servers close it (5 s and more): a request that meets a server's
 * close has no reply, and its outcome would be unknown.
 */
const IDLE_CONNECTION_MS = 4_000;

export interface HttpPlatformOptions {
  /** Address of one area; may have a path of its own, which is then part of the signed Request-Target. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signatureProfile: SignatureProfileName | SignatureProfile;
  /** Bound of one request with its reply, milliseconds. */
  readonly timeoutMs: number;
  /** Most connections at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly operations: Operations;
  /** For `User-Agent`. */
  readonly version: string;
}

/**
 * One area of the platform over HTTP. Every `send` is one attempt, signed at that moment; every fault of a server comes
 * back as a Reply. The body is serialised once, so that the bytes signed are the bytes sent.
 *
 * Errors: TypeError for an invalid base URL. `send` never throws for a fault of a server.
 */
export function createHttpPlatform(options: HttpPlatformOptions): Platform {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const profile = options.signatureProfile;
  const signer = {
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    profile: typeof profile === 'string' ? signatureProfile(profile) : profile,
    userAgent: `placement-sync/${options.version}`,
  };
  const sockets = { keepAlive: true, maxSockets: options.concurrency, timeout: IDLE_CONNECTION_MS };
  const agent = {
    http: closeStrayConnections(new HttpAgent(sockets)),
    https: closeStrayConnections(new HttpsAgent(sockets)),
  };

  return {
    async send(request): Promise<Reply> {
      const operation = operationNamed(request.operation, options.operations);
      const { method, path } = operation;
      // From the origin, so that user name and query of the base URL are never sent.
      const url = new URL(`${base.origin}${prefix}${operationPath(path, request.platformId)}`);
      const body = serialise(request.body);
      const signing = request.wrongSignature ? { ...signer, clientSecret: randomUUID() } : signer;
      const headers = signedHeaders(signing, {
        method,
        requestTarget: url.pathname,
        requestId: request.requestId,
        body,
        now: options.clock.now(),
      });
      const { timeoutMs } = options;
      const outcome = await exchange({ url, method, headers, body, timeoutMs, agent });
      return 'kind' in outcome
        ? outcome
        : readReply(outcome, operation, request.platformId, options.clock.now());
    },

    close() {
      agent.http.destroy();
      agent.https.destroy();
      return Promise.resolve();
    },
  };
}

function serialise(body: JsonObject | null): Buffer | null {
  return body === null ? null : Buffer.from(JSON.stringify(body), 'utf8');
}
