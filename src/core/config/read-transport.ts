import { X509Certificate } from 'node:crypto';
import { type Area, AREAS } from '../domain/names.js';
import { type ClientCertificateFiles, pairProblem } from '../runtime/client-certificate.js';
import { egressProxy, type EgressProxy } from '../runtime/egress-proxy.js';
import { pathText, type Problem, type SettingPath, valueAt } from './problem.js';
import { filesOnDisk, type NamedFiles, whyUnread } from './read-entity-files.js';
import type { EnvironmentVariables } from './read-named-config.js';

/**
 * How requests reach the platform: which certificates are trusted, which one is shown, and through which proxy they go. An area's own block
 * counts before the common one, and settings before the environment.
 */

/** How requests to an area travel, beside its address. */
export interface Transport {
  /** Null: directly. */
  readonly proxy: EgressProxy | null;
  /** Certificates to trust beside the usual ones, PEM. */
  readonly certificates: readonly string[];
  /** Their file, as messages name it; null: none. */
  readonly certificateFile: string | null;
  /**
   * Those of NODE_EXTRA_CA_CERTS, when there is a list of one's own, which would replace them. Node warns about a file
   * that it cannot read.
   */
  readonly inherited: readonly string[];
  /** Files of the certificate that is shown to the platform; null: none. */
  readonly clientCertificate: ClientCertificateFiles | null;
  /** Absolute path of the partner's module; null: none. */
  readonly adapter: string | null;
}

/** Blocks that may name a proxy and a file, those of the areas first. */
const BLOCKS: readonly SettingPath[] = [...AREAS.map((area) => ['platform', area]), ['platform']];

/** @param data interpolated data, perhaps with mistakes: the schema reports values of another form */
export function readTransport(
  data: unknown,
  files: NamedFiles,
  env: EnvironmentVariables,
): { readonly transport: Readonly<Partial<Record<Area, Transport>>>; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const certificates = new Map(BLOCKS.map((block) => [pathText(block), certificatesOf([...block, 'ca'])]));
  const shown = new Map(
    BLOCKS.map((block) => [pathText(block), clientCertificateOf([...block, 'clientCertificate'])]),
  );
  const adapters = new Map(BLOCKS.map((block) => [pathText(block), adapterOf([...block, 'adapter'])]));
  const inherited = [...certificates.values()].some((own) => own !== null) ? inheritedCertificates() : [];
  const transport = AREAS.flatMap((area) => {
    const baseUrl = valueAt(data, ['platform', area, 'baseUrl']);
    if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return [];
    const clientCertificate = shown.get(pathText(blockOf(area, 'clientCertificate'))) ?? null;
    const proxy = proxyOf(area, new URL(baseUrl));
    const adapter = adapters.get(pathText(blockOf(area, 'adapter'))) ?? null;
    return [[area, { proxy, ...trustOf(area), inherited, clientCertificate, adapter }] as const];
  });
  return { transport: Object.fromEntries(transport), problems };

  /** Only a list of one's own needs them, and reading them takes longer than the rest of the configuration. */
  function inheritedCertificates(): readonly string[] {
    const extra = env.NODE_EXTRA_CA_CERTS ?? '';
    const read = extra === '' ? [] : readCertificates(filesOnDisk(process.cwd()), extra);
    return typeof read === 'string' ? [] : read;
  }

  /** What the area's block says about a setting, if it says something, else the common one. */
  function blockOf(area: Area, name: string): SettingPath {
    const own: SettingPath = ['platform', area];
    return valueAt(data, [...own, name]) === undefined ? ['platform'] : own;
  }

  /** It is loaded when it is needed; whether it is there is seen now. */
  function adapterOf(path: SettingPath): string | null {
    const value = valueAt(data, path);
    if (typeof value !== 'string' || value.trim() === '') return null;
    try {
      files.read(value, 'adapter');
      return files.shown(value);
    } catch (error) {
      problems.push({ path, message: whyUnread(files, value, error) });
      return null;
    }
  }

  function trustOf(area: Area) {
    return certificates.get(pathText(blockOf(area, 'ca'))) ?? { certificates: [], certificateFile: null };
  }

  function clientCertificateOf(path: SettingPath): ClientCertificateFiles | null {
    const [cert, key] = ['cert', 'key'].map((name) => valueAt(data, [...path, name]));
    const passphrase = valueAt(data, [...path, 'passphrase']) ?? null;
    // The schema reports what is missing.
    if (typeof cert !== 'string' || typeof key !== 'string') return null;
    const found = {
      cert: files.shown(cert),
      key: files.shown(key),
      passphrase: typeof passphrase === 'string' ? passphrase : null,
    };
    const texts = { cert: '', key: '' };
    for (const [name, file, kind] of [
      ['key', key, 'key'],
      ['cert', cert, 'certificates'],
    ] as const) {
      try {
        texts[name] = files.read(file, kind);
      } catch (error) {
        problems.push({ path: [...path, name], message: whyUnread(files, file, error) });
        return null;
      }
    }
    const message = pairProblem(texts, found);
    if (message !== null) problems.push({ path, message });
    return message === null ? found : null;
  }

  function certificatesOf(path: SettingPath) {
    const value = valueAt(data, path);
    if (typeof value !== 'string' || value.trim() === '') return null;
    const read = readCertificates(files, value);
    if (typeof read !== 'string') return { certificates: read, certificateFile: files.shown(value) };
    problems.push({ path, message: read });
    return null;
  }

  function proxyOf(area: Area, target: URL): EgressProxy | null {
    const path = [...blockOf(area, 'proxy'), 'proxy'];
    const value = valueAt(data, path);
    const setting = typeof value === 'string' ? { name: pathText(path), value } : null;
    const found = egressProxy(target, { setting, env });
    if (found === null || 'address' in found) return found;
    // The schema reports a setting that is no address.
    if (setting !== null) return null;
    const message = `goes through a proxy, because the environment has ${found.name}, which ${found.problem}; correct it, or set platform.proxy`;
    problems.push({ path: ['platform', area, 'baseUrl'], message });
    return null;
  }
}

/** The certificates of a file, or what is wrong with it. */
function readCertificates(files: NamedFiles, name: string): readonly string[] | string {
  let text: string;
  try {
    text = files.read(name, 'certificates');
  } catch (error) {
    return whyUnread(files, name, error);
  }
  const found = certificatesIn(text);
  if (found.length === 0) {
    return `${files.shown(name)} has no certificate in PEM form (-----BEGIN CERTIFICATE-----); openssl x509 -inform der -in FILE converts another form`;
  }
  const bad = found.findIndex((certificate) => !isCertificate(certificate));
  return bad < 0
    ? found
    : `${files.shown(name)} holds a certificate that cannot be read (number ${bad + 1} of ${found.length})`;
}

/** The certificates in a text, PEM, without what is around them. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
