import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/**
 * The certificate with which this program shows itself, and its key. Both are files that somebody else renews, often one
 * after the other, so whoever uses them reads them again, and takes them only when they belong together.
 */

/** Where they are; absolute paths. */
export interface ClientCertificateFiles {
  readonly cert: string;
  readonly key: string;
  /** Of the key; null: it has none. Never shown. */
  readonly passphrase: string | null;
}

/** A certificate with those of the authorities behind it, and its key, PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Both as they are now. Errors: those of the file system; TypeError with a sentence when they cannot be used. */
export function readClientCertificate(files: ClientCertificateFiles): ClientCertificate {
  const found = { cert: readFileSync(files.cert, 'latin1'), key: readFileSync(files.key, 'latin1') };
  const problem = pairProblem(found, files);
  if (problem !== null) throw new TypeError(problem);
  return found;
}

/** Another text after every change of the files; null: one of them is not there. */
export function versionOf({ cert, key }: ClientCertificateFiles): string | null {
  const [first, second] = [cert, key].map((file) => statSync(file, { throwIfNoEntry: false }));
  if (first === undefined || second === undefined) return null;
  return [first, second].map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join(', ');
}

/** Why the two cannot be used, as a sentence with the file's name; null: they belong together. */
export function pairProblem({ cert, key }: ClientCertificate, files: ClientCertificateFiles): string | null {
  const certificate = firstCertificate(cert);
  if (certificate === null)
    return `${files.cert} has no certificate in PEM form (-----BEGIN CERTIFICATE-----); openssl pkcs12 -in FILE -nokeys converts a .p12`;
  let secret: KeyObject;
  try {
    secret = createPrivateKey({
      key,
      ...(files.passphrase === null ? {} : { passphrase: files.passphrase }),
    });
  } catch {
    // The error may quote the key.
    return `${files.key} ${keyProblem(key, files.passphrase !== null)}`;
  }
  return certificate.checkPrivateKey(secret)
    ? null
    : `${files.key} is not the key of the first certificate in ${files.cert}`;
}

/** To follow the name of the key's file. */
function keyProblem(key: string, hasPassphrase: boolean): string {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key))
    return 'has no private key in PEM form (-----BEGIN PRIVATE KEY-----)';
  if (hasPassphrase) return 'cannot be read with this passphrase';
  return key.includes('ENCRYPTED') ? 'is encrypted: set the passphrase' : 'holds a key that cannot be read';
}

/** What people need to know of a certificate, PEM: the last part of its subject, and its last moment. Errors: those of crypto. */
export function describeCertificate(pem: string): { readonly name: string; readonly validTo: Date } {
  const { subject, validTo } = new X509Certificate(pem);
  return { name: subject.split('\n').at(-1) ?? '', validTo: new Date(validTo) };
}

function firstCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}
