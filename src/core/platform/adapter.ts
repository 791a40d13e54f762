import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type {
  Adapter,
  AdapterJudgement,
  AdapterReply,
  AdapterRequest,
  AdapterSubject,
  AdapterTools,
  AdapterWebhook,
  AdapterWebhookResult,
  AdapterWebhookTools,
} from '../contract/adapter.js';
import { oneLine } from '../domain/reply/reply.js';
import { scrubText } from '../domain/scrub-text.js';

/**
 * The partner's module behind `platform.adapter`, for a platform that differs from the interface. It is loaded when it is
 * first needed (`#load`). Each call of a function is bounded in time, and what it gives is checked (`#call`). A module that
 * cannot be loaded, throws, hangs or gives something else comes back as an `AdapterFailure`: the area stops with the module's
 * own words, its line and its function. An endless loop cannot be ended, as in any program.
 */

/** Why the adapter decided nothing: one sentence, without secrets. */
export interface AdapterFailure {
  readonly failure: string;
}

const FUNCTIONS = ['request', 'reply', 'webhook'] as const;

type AdapterFunction = (typeof FUNCTIONS)[number];

const NAMES = FUNCTIONS.join(', ');

export class AdapterDoor {
  readonly #file: string;
  /** What no message may show. */
  readonly #secrets: readonly string[];
  #loading: Promise<Adapter> | null = null;

  /** @param file absolute path of the module */
  constructor(file: string, secrets: readonly string[]) {
    this.#file = file;
    this.#secrets = secrets;
  }

  /** The functions that the module has: calls nothing. */
  async functions(): Promise<readonly AdapterFunction[] | AdapterFailure> {
    try {
      const adapter = await this.#load();
      return FUNCTIONS.filter((name) => adapter[name] !== undefined);
    } catch (error) {
      return { failure: this.#words(error, null) };
    }
  }

  /** The request that leaves. */
  request(
    request: AdapterRequest,
    tools: AdapterTools,
    timeoutMs: number,
  ): Promise<AdapterRequest | AdapterFailure> {
    return this.#call('request', timeoutMs, request, (call) => call(request, tools), OUTGOING);
  }

  /** Undefined: the built-in judgement counts. */
  reply(
    reply: AdapterReply,
    about: AdapterSubject,
    timeoutMs: number,
  ): Promise<AdapterJudgement | AdapterFailure | undefined> {
    return this.#call('reply', timeoutMs, undefined, (call) => call(reply, about), JUDGEMENT);
  }

  /** Undefined: the built-in reading counts. */
  webhook(
    request: AdapterWebhook,
    tools: AdapterWebhookTools,
    timeoutMs: number,
  ): Promise<AdapterWebhookResult | AdapterFailure | undefined> {
    return this.#call('webhook', timeoutMs, undefined, (call) => call(request, tools), WEBHOOK_RESULT);
  }

  async #call<Name extends AdapterFunction, Value, Usual>(
    name: Name,
    timeoutMs: number,
    usual: Usual,
    call: (given: NonNullable<Adapter[Name]>) => unknown,
    schema: z.ZodType<Value>,
  ): Promise<Value | Usual | AdapterFailure> {
    try {
      const given = (await this.#load())[name];
      if (given === undefined) return usual;
      const value = await inTime(timeoutMs, call(given));
      if (value === undefined) return usual;
      const read = schema.safeParse(value);
      if (!read.success) throw new TypeError(nonsense(value, read.error));
      return read.data;
    } catch (error) {
      return { failure: this.#words(error, name) };
    }
  }

  #load(): Promise<Adapter> {
    return (this.#loading ??= loadAdapter(this.#file).catch(async (error: unknown) => {
      throw error instanceof SyntaxError ? await placed(error, this.#file) : error;
    }));
  }

  /** `adapter.mjs:12 (reply): x is not a function` */
  #words(error: unknown, name: AdapterFunction | null): string {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const url = pathToFileURL(this.#file).href;
    const [, line] = new RegExp(`(?:${escaped(url)}|${escaped(this.#file)}):(\\d+)`).exec(stack) ?? [];
    const place = `${basename(this.#file)}${line === undefined ? '' : `:${line}`}`;
    const said = error instanceof Error ? error.message : `it threw ${typeof error}`;
    return oneLine(scrubText(`${place}${name === null ? '' : ` (${name})`}: ${said}`, this.#secrets));
  }
}

/** Longest wait for the place of a syntax error, milliseconds. */
const CHECK_MS = 5_000;

/** Node keeps the place of a syntax error for itself when it imports, and shows it when it only checks a file. */
async function placed(error: SyntaxError, file: string): Promise<Error> {
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: CHECK_MS }, (_error, _out, text) =>
      resolve(text),
    );
  });
  const [, line] = /:(\d+)$/m.exec(said) ?? [];
  if (line === undefined) return error;
  const found = new Error(error.message);
  found.stack = `${file}:${line}`;
  return found;
}

async function loadAdapter(file: string): Promise<Adapter> {
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Readonly<
    Record<string, unknown>
  >;
  // A module of named functions says the same.
  const given = module.default ?? module;
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`it exports no object of functions; export default { request, reply, webhook }`);
  const exported = Object.entries(given);
  const unknown = exported.map(([name]) => name).filter((name) => !isFunctionName(name));
  if (unknown.length > 0)
    throw new TypeError(`it exports ${unknown.join(', ')}, which nothing calls; known are ${NAMES}`);
  if (exported.length === 0) throw new TypeError(`it exports none of ${NAMES}`);
  const other = exported.find(([, value]) => typeof value !== 'function');
  if (other !== undefined) throw new TypeError(`${other[0]} is no function`);
  return given;
}

function isFunctionName(name: string): name is AdapterFunction {
  return (FUNCTIONS as readonly string[]).includes(name);
}

async function inTime(timeoutMs: number, work: unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = Math.max(timeoutMs, 0) / 1_000;
    timer = setTimeout(() => reject(new Error(`it gave nothing within ${seconds} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Longest beginning of a value that a message shows. */
const SHOWN = 80;

function nonsense(value: unknown, error: z.ZodError): string {
  const issue = error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  let shown: string;
  try {
    shown = JSON.stringify(value) ?? typeof value;
  } catch {
    shown = typeof value;
  }
  return `it gave ${shown.slice(0, SHOWN)}, which is none of the known results${at}; docs/adapter.md has them`;
}

const BYTES = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** What HTTP can carry as a name and as a value. */
const HEADERS = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
);

const OUTGOING: z.ZodType<AdapterRequest> = z.object({
  operation: z.string(),
  method: z.string().regex(/^[A-Z]+$/),
  path: z.string().regex(/^\/[^\s#]*$/),
  headers: HEADERS,
  body: BYTES.nullable(),
});

const LINK = z.union([z.string(), z.int()]).nullish();
const MESSAGE = z.string().min(1);
const STATE = z.enum(['live', 'pending', 'refused', 'removed']).optional();

/** Exactly one of the known results. */
const JUDGEMENT = z.union([
  z.strictObject({
    accepted: z.strictObject({
      id: LINK,
      reference: LINK,
      state: STATE,
      warnings: z.array(z.string()).optional(),
    }),
  }),
  z.strictObject({
    rejected: z.strictObject({
      message: MESSAGE,
      fields: z.record(z.string(), z.array(z.string())).optional(),
    }),
  }),
  z.strictObject({ retry: z.strictObject({ message: MESSAGE, afterMs: z.number().min(0).optional() }) }),
  z.strictObject({ missing: z.literal(true) }),
  z.strictObject({ found: z.record(z.string(), z.unknown()), state: STATE }),
  z.strictObject({ stop: z.strictObject({ message: MESSAGE }) }),
]) as z.ZodType<AdapterJudgement>;

const WEBHOOK_RESULT = z.union([
  z.strictObject({ events: z.array(z.unknown()) }),
  z.strictObject({
    answer: z.strictObject({
      status: z.int().min(200).max(599),
      headers: HEADERS.optional(),
      body: z.union([z.string(), BYTES]).optional(),
    }),
  }),
  z.strictObject({ refuse: MESSAGE }),
]) as z.ZodType<AdapterWebhookResult>;

export function hmac(hash: string, key: string | Uint8Array, data: string | Uint8Array): Uint8Array {
  return createHmac(hash, key).update(data).digest();
}

export function digest(hash: string, data: string | Uint8Array): Uint8Array {
  return createHash(hash).update(data).digest();
}

/** One for each credential, as long as the process lives: slices of a tenant and both areas come and go. */
const CACHES = new Map<string, Map<string, unknown>>();

export function adapterCache(credential: string): Map<string, unknown> {
  const known = CACHES.get(credential) ?? new Map<string, unknown>();
  CACHES.set(credential, known);
  return known;
}
