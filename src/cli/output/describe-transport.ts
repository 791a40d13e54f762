import { X509Certificate } from 'node:crypto';
import type { Transport } from '../../config/read-transport.js';
import type { Area } from '../../domain/names.js';

/** How requests to an area travel, a line for each thing; empty: directly, and with the usual certificates. */
export function describeTransport(area: Area, { proxy, certificates, certificateFile }: Transport): string[] {
  return [
    ...(proxy === null
      ? []
      : [`${area}: requests go through the proxy ${proxy.address} (${proxy.namedBy}).`]),
    ...certificates.map((pem) => {
      const { subject, validTo } = new X509Certificate(pem);
      const name = subject.split('\n').at(-1) ?? '';
      return `${area}: trusts ${name}, valid until ${new Date(validTo).toISOString().slice(0, 10)} (${certificateFile ?? ''}).`;
    }),
  ];
}
