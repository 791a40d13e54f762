import { BlockList, isIP } from 'node:net';
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

interface ProxyChoice {
  /** An address, and the setting that has it; null: the environment decides. */
  readonly setting: { readonly name: string; readonly value: string } | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A setting or variable that names something else. Its value may hold a password, so it is not repeated. */
interface WrongProxy {
  readonly name: string;
  readonly problem: string;
}

/**
 * The proxy for requests to `target`; null: none. A setting always counts. The variables HTTPS_PROXY (for https://) and
 * HTTP_PROXY, in lower case first, count unless NO_PROXY takes the host out. They never count for this machine itself,
 * because a proxy that runs elsewhere would look for the address on its own machine.
 */
export function egressProxy(target: URL, { setting, env }: ProxyChoice): EgressProxy | WrongProxy | null {
  if (setting !== null) return readProxy(setting.value, setting.name);
  if (isLoopback(target.hostname)) return null;
  const scheme = target.protocol === 'https:' ? 'https' : 'http';
  const named = variable(env, `${scheme}_proxy`);
  if (named === null || bypassesProxy(target, variable(env, 'no_proxy')?.value ?? '')) return null;
  // A proxy without a scheme speaks HTTP, whatever goes through it.
  const address = named.value.includes('://') ? named.value : `http://${named.value}`;
  return readProxy(address, named.name);
}

function readProxy(value: string, namedBy: string): EgressProxy | WrongProxy {
  const wrong = { name: namedBy, problem: 'must be an address such as http://proxy.example:3128' };
  if (/\s/.test(value) || !URL.canParse(value)) return wrong;
  const { protocol, host, username, password } = new URL(value);
  if (!/^https?:$/.test(protocol) || host === '') return wrong;
  const user = `${decoded(username)}:${decoded(password)}`;
  return {
    address: `${protocol}//${host}`,
    authorization: user === ':' ? null : `Basic ${Buffer.from(user, 'utf8').toString('base64')}`,
    namedBy,
  };
}

/** Percent-decoded. A `%` that encodes nothing stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A variable in lower or upper case; an empty one counts as unset. */
function variable(env: ProxyChoice['env'], lower: string): { name: string; value: string } | null {
  for (const name of [lower, lower.toUpperCase()]) {
    const value = env[name]?.trim() ?? '';
    if (value !== '') return { name, value };
  }
  return null;
}

/**
 * Whether NO_PROXY takes an address out, as curl and most programs read it: entries with commas or blanks between them;
 * `*` is every address; a name is also every name below it, with or without a dot or `*.` before it; `host:port` only
 * that port; an IP address, or a range such as 10.0.0.0/8. Names are never looked up.
 */
export function bypassesProxy(target: URL, noProxy: string): boolean {
  const host = bare(target.hostname);
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = '', only] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [null, entry];
      return (only === undefined || only === port) && covers(name, host);
    });
}

/** Without brackets and without the dot of a complete name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function covers(entry: string, host: string): boolean {
  if (entry === '*') return true;
  const [, address = '', bits] = /^(.*)\/(\d+)$/.exec(entry) ?? [];
  if (bits !== undefined) return inRange(host, bare(address), Number(bits));
  const name = bare(entry);
  if (isIP(host) !== 0) return inRange(host, name, isIP(name) === 6 ? 128 : 32);
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** Whether an address is in a range; compares addresses of any spelling. */
function inRange(host: string, address: string, bits: number): boolean {
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || bits > (family === 6 ? 128 : 32)) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const range = new BlockList();
  range.addSubnet(address, bits, type);
  return range.check(host, type);
}
