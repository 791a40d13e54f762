import { lookup as resolve } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../core/runtime/loopback.js';
import type { Reach } from '../../../core/config/load.js';

/** This machine, its link, private networks, and many machines at once. */
const NOT_PUBLIC = [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
  ],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3', '::/96', 'fc00::/7', 'fe80::/9', 'ff00::/8'],
];

/** Public networks, and those of a list. */
export function createReach(allowed: readonly string[]): Reach {
  const [refusing, allowing] = [NOT_PUBLIC, allowed].map(blockList) as [BlockList, BlockList];
  const isRefused = (address: string): boolean => {
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    return refusing.check(address, type) && !allowing.check(address, type);
  };
  return {
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        const refused = found?.find(({ address }) => isRefused(address));
        const [first = { address: '', family: 4 }] = found ?? [];
        if (error) callback(error, []);
        else if (refused) callback(notAllowed(hostname, refused.address), []);
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      });
    },
    refusedHost(host) {
      const bare = host.replace(/^\[|\]$/g, '');
      const address = isIP(bare) === 0 && isLoopback(host) ? '127.0.0.1' : bare;
      return isIP(address) !== 0 && isRefused(address) ? address : null;
    },
  };
}

function notAllowed(hostname: string, address: string): NodeJS.ErrnoException {
  const message = `${hostname} is ${address}, in a network that no tenant may reach unless fleet.allowedNetworks has it`;
  return Object.assign(new Error(message), { code: 'ERR_NETWORK_NOT_ALLOWED' });
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [address = '', bits] of networks.map((network) => network.split('/'))) {
    const family = isIP(address);
    list.addSubnet(address, Number(bits ?? (family === 6 ? 128 : 32)), family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Whether a text is one address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/');
  return (
    isIP(address) > 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= (isIP(address) === 6 ? 128 : 32) &&
    more.length === 0
  );
}
