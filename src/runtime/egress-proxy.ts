import { bypassesProxy } from './bypasses-proxy.js';
import { isLoopback } from './loopback.js';

/** The proxy that requests to an address go through. */
export interface EgressProxy {
  /** Scheme, host and port; safe to show. */
  readonly address: string;
  /** Of the header `Proxy-Authorization`; null: none. Never shown. */
  readonly authorization: string | null;
  /** Where it was named: a setting or a variable. */
  readonly namedBy: string;
}

/** A setting or variable that names something else. Its value may hold a password, so it is not repeated. */
export interface WrongProxy {
  readonly name: string;
  readonly problem: string;
}

/** What names a proxy. */
export interface ProxyChoice {
  /** An address, and the setting that has it; null: the environment decides. */
  readonly setting: { readonly name: string; readonly value: string } | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The proxy for requests to `target`; null: none. A setting always counts. The variables HTTPS_PROXY (for https://) and
 * HTTP_PROXY, in lower case first, count unless NO_PROXY takes the host out. They never count for this machine itself,
 * because a proxy that runs elsewhere would look for the address on its own machine. Pure.
 */
export function egressProxy(target: URL, { setting, env }: ProxyChoice): EgressProxy | WrongProxy | null {
  if (setting !== null) {
    return readProxy(setting.value, setting.name) ?? wrong(setting.name);
  }
  if (isLoopback(target.hostname)) return null;
  const scheme = target.protocol === 'https:' ? 'https' : 'http';
  const named = variable(env, `${scheme}_proxy`);
  if (named === null || bypassesProxy(target, variable(env, 'no_proxy')?.value ?? '')) return null;
  // A proxy without a scheme speaks HTTP, whatever goes through it.
  const address = named.value.includes('://') ? named.value : `http://${named.value}`;
  return readProxy(address, named.name) ?? wrong(named.name);
}

function wrong(name: string): WrongProxy {
  return { name, problem: 'must be an address such as http://proxy.example:3128' };
}

/** A variable in lower or upper case; an empty one counts as unset. */
function variable(env: ProxyChoice['env'], lower: string): { name: string; value: string } | null {
  for (const name of [lower, lower.toUpperCase()]) {
    const value = env[name]?.trim() ?? '';
    if (value !== '') return { name, value };
  }
  return null;
}

/** Null for what is no http:// or https:// address. */
function readProxy(value: string, namedBy: string): EgressProxy | null {
  if (/\s/.test(value) || !URL.canParse(value)) return null;
  const { protocol, host, username, password } = new URL(value);
  if (!/^https?:$/.test(protocol) || host === '') return null;
  const user = `${decoded(username)}:${decoded(password)}`;
  return {
    address: `${protocol}//${host}`,
    authorization: user === ':' ? null : `Basic ${Buffer.from(user, 'utf8').toString('base64')}`,
    namedBy,
  };
}

/** A `%` that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
