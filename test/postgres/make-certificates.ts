import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** An authority of one's own, and what it signs. */
export interface Authority {
  readonly certificate: string;
  /** For a server at 127.0.0.1 or of this name, good for a day; `expired`: until an hour ago. */
  issue(expired?: boolean, host?: string): Certificate;
}

// The few forms of DER that a certificate needs (X.509: RFC 5280).
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const name = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const IS_AUTHORITY = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))));
const AT_LOOPBACK = extension('551d11', sequence(der(0x87, Buffer.from([127, 0, 0, 1]))));
const atName = (host: string) => extension('551d11', sequence(der(0x82, Buffer.from(host, 'latin1'))));
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let serial = 1;

function certify(
  subject: string,
  publicKey: KeyObject,
  issuer: { readonly name: string; readonly key: KeyObject },
  what: Buffer,
  until = Date.now() + DAY_MS,
): string {
  serial += 1;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    ECDSA_WITH_SHA256,
    name(issuer.name),
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(until))),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(what)),
  );
  const whole = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, issuer.key)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A new authority; made here, so that no key lies in the repository and no program is needed. */
export function makeAuthority(title: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: title, key: own.privateKey };
  return {
    certificate: certify(title, own.publicKey, issuer, IS_AUTHORITY),
    issue(expired = false, host) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        certificate: certify(
          'server',
          publicKey,
          issuer,
          host === undefined ? AT_LOOPBACK : atName(host),
          Date.now() + (expired ? -HOUR_MS : DAY_MS),
        ),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
}
