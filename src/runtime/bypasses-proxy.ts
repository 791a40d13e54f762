import { BlockList, isIP } from 'node:net';

/**
 * Whether NO_PROXY takes an address out, as curl and most programs read it: entries with commas or blanks between them;
 * `*` is every address; a name is also every name below it, with or without a dot or `*.` before it; `host:port` only
 * that port; an IP address, or a range such as 10.0.0.0/8. Names are never looked up. Pure.
 *
 * @param target where the request goes
 * @param noProxy value of the variable
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

/** Without brackets and without the dot of a complete name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
