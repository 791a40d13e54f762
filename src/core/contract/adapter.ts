/**
 * What a partner's own module may say where the platform differs from the interface: `platform.adapter`. Its default
 * export has any of three functions. A function that is left out, or that gives `undefined`, means: as built in.
 *
 * This file is `placement-sync/adapter`: types only, and nothing that it imports.
 */
export interface Adapter {
  /**
   * The last word on what leaves. Called once for each attempt, after its place in the rate. Gives the request that is sent
   * instead.
   */
  readonly request?: (
    request: AdapterRequest,
    tools: AdapterTools,
  ) => AdapterRequest | undefined | Promise<AdapterRequest | undefined>;
  /** What came back. */
  readonly reply?: (
    reply: AdapterReply,
    about: AdapterSubject,
  ) => AdapterJudgement | undefined | Promise<AdapterJudgement | undefined>;
  /** A call of the platform. What it takes it has verified itself: `tools.verify(request)` is the built-in check. */
  readonly webhook?: (
    request: AdapterWebhook,
    tools: AdapterWebhookTools,
  ) => AdapterWebhookResult | undefined | Promise<AdapterWebhookResult | undefined>;
}

export type AdapterArea = 'jobs' | 'training';

export interface AdapterRequest {
  /** `putCompany`, `findVacancy` … */
  readonly operation: string;
  /** Upper case. */
  readonly method: string;
  /** From the host on, as it leaves: `/api/v1/employers/…/company`. May have a query. */
  readonly path: string;
  /** They leave in these letters. The built-in signature is among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that leave; null: none. */
  readonly body: Uint8Array | null;
}

interface Crypto {
  readonly clientId: string;
  readonly secret: string;
  readonly now: Date;
  /** `hash`: a name that Node knows, such as `sha512`. */
  hmac(hash: string, key: string | Uint8Array, data: string | Uint8Array): Uint8Array;
  digest(hash: string, data: string | Uint8Array): Uint8Array;
}

export interface AdapterTools extends Crypto {
  readonly area: AdapterArea;
  /** Unique for this attempt; the header Request-Id has it. */
  readonly requestId: string;
  /** The headers of the built-in signature for a request. */
  sign(request: AdapterRequest): Record<string, string>;
  /** Through proxy, certificates and time-out of the area. Follows no redirect. */
  fetch(
    url: string | URL,
    init?: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array | null;
    },
  ): Promise<Response>;
  /** Lives as long as the process; one for each address and client. */
  readonly cache: Map<string, unknown>;
}

export interface AdapterReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined: the text is not JSON. */
  readonly json: unknown;
}

export interface AdapterSubject {
  readonly area: AdapterArea;
  readonly operation: string;
  /** The partner's key of the record; null: the request is about none, as in a check of `doctor`. */
  readonly key: string | null;
  /** The UUID in the path. */
  readonly platformId: string;
}

/** What the platform makes of a record that it has taken. `refused` and `removed`: only a person sends it again. */
export type AdapterState = 'live' | 'pending' | 'refused' | 'removed';

export type AdapterJudgement =
  /** The platform holds what was sent. */
  | {
      readonly accepted: {
        /** The platform's own id of the record. */
        readonly id?: string | number | null;
        /** Under which children name it. */
        readonly reference?: string | number | null;
        readonly state?: AdapterState;
        readonly warnings?: readonly string[];
      };
    }
  /** It never takes this payload. `fields`: what is wrong, by field of the body. */
  | {
      readonly rejected: {
        readonly message: string;
        readonly fields?: Readonly<Record<string, readonly string[]>>;
      };
    }
  /** Try again later. `afterMs`: the whole area waits so long. */
  | { readonly retry: { readonly message: string; readonly afterMs?: number } }
  /** The platform has no such record. */
  | { readonly missing: true }
  /** What the platform holds, in the form in which the interface shows it. */
  | { readonly found: Readonly<Record<string, unknown>>; readonly state?: AdapterState }
  /** The whole area stops; every record stays pending. */
  | { readonly stop: { readonly message: string } };

export interface AdapterWebhook {
  readonly method: string;
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The secret is the first of `webhook.secrets`. */
export interface AdapterWebhookTools extends Crypto {
  readonly secrets: readonly string[];
  /** The built-in check of signature and time, with any of the secrets. */
  verify(request: AdapterWebhook): boolean;
}

export type AdapterWebhookResult =
  /** Job applications, each in a layout of the interface. */
  | { readonly events: readonly unknown[] }
  /** An answer of its own, such as to a challenge. Nothing is stored. */
  | {
      readonly answer: {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string | Uint8Array;
      };
    }
  /** It is not from the platform: 401. */
  | { readonly refuse: string };
