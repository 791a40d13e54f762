import type { Command } from 'commander';
import { loadConfig, type LoadedConfig } from '../../core/config/load.js';
import type { Transport } from '../../core/config/read-transport.js';
import { areaSettings, dialectOf } from '../../core/config/schema.js';
import type { SignatureProfileName } from '../../core/contract/signature.js';
import { type Area, AREAS } from '../../core/domain/names.js';
import { OPERATIONS } from '../../core/entities/index.js';
import { AdapterDoor } from '../../core/platform/adapter.js';
import { createHttpPlatform, type HttpPlatform } from '../../core/platform/http-platform.js';
import { createRateLimit } from '../../core/platform/rate-limit.js';
import type { RateLimit } from '../../core/ports/platform.js';
import type { AreaDialect } from '../../features/sandbox/sandbox-options.js';
import { commonOptions } from '../common-options.js';
import { io } from '../io.js';
import type { RunContext } from '../../core/context.js';
import { systemClock, VERSION } from './package-info.js';

export interface OpenedPlatforms extends Pick<RunContext, 'platform' | 'rateLimit' | 'readBackRateLimit'> {
  /** As it leaves for this area, after its adapter. */
  leaving(area: Area, request: Parameters<HttpPlatform['leaving']>[0]): ReturnType<HttpPlatform['leaving']>;
  close(): Promise<void>;
}

export function openPlatforms({ settings, transport, reach, secrets }: LoadedConfig): OpenedPlatforms {
  const clients = new Map<Area, HttpPlatform>();
  const configured = (area: Area) => configuredArea(settings, area);
  const operations = configuredOperations(settings);
  const shared = sharedRate(settings);
  const platform = (area: Area): HttpPlatform => {
    const open = clients.get(area);
    if (open) return open;
    const { signature, ...settings } = configured(area);
    const client = createHttpPlatform({
      ...settings,
      signatureProfile: signature.profile,
      ...travelling(transport[area], reach),
      adapter: adapterDoor({ transport, secrets }, area),
      clock: systemClock,
      operations,
      version: VERSION,
    });
    clients.set(area, client);
    return client;
  };

  return {
    platform,
    leaving: (area, request) => platform(area).leaving(request),
    rateLimit(area, notBefore) {
      const { ratePerSecond, concurrency } = configured(area);
      const own = createRateLimit({
        ratePerSecond,
        concurrency,
        clock: systemClock,
        notBefore,
        within: shared,
      });
      return shared === undefined ? own : { ...own, learning: shared.learning };
    },
    readBackRateLimit(area, within) {
      return shareOfRate(configured(area), settings, within);
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** The partner's module of an area; null: none. Both areas may have the same, which Node loads once. */
export function adapterDoor(
  { transport, secrets }: Pick<LoadedConfig, 'transport' | 'secrets'>,
  area: Area,
): AdapterDoor | null {
  const file = transport[area]?.adapter ?? null;
  return file === null ? null : new AdapterDoor(file, secrets());
}

/**
 * The rate that two areas share, because they are one client at one host, which the platform counts together: the lower of
 * theirs. What the platform teaches counts for both. Undefined: each has its own.
 */
function sharedRate(settings: LoadedConfig['settings']): RateLimit | undefined {
  const [one, other] = AREAS.flatMap((area) => areaSettings(settings.platform, area) ?? []);
  if (one === undefined || other === undefined || clientOf(one) !== clientOf(other)) return undefined;
  const ratePerSecond = Math.min(one.ratePerSecond ?? Infinity, other.ratePerSecond ?? Infinity);
  return createRateLimit({
    ratePerSecond: ratePerSecond === Infinity ? null : ratePerSecond,
    concurrency: one.concurrency + other.concurrency,
    clock: systemClock,
  });
}

function clientOf({ baseUrl, clientId, clientSecret }: ReturnType<typeof configuredArea>): string {
  return JSON.stringify([new URL(baseUrl).origin, clientId, clientSecret]);
}

/** `verify.sharePercent` of an area's rate, taken from `within` if given. */
export function shareOfRate(
  { ratePerSecond, concurrency }: { readonly ratePerSecond: number | null; readonly concurrency: number },
  { verify }: LoadedConfig['settings'],
  within: RateLimit | undefined,
): RateLimit {
  const share = ratePerSecond === null ? null : (ratePerSecond * verify.sharePercent) / 100;
  return createRateLimit({ ratePerSecond: share, concurrency, clock: systemClock, within });
}

/** The settings of an area that work needs: one of a configured entity. */
export function configuredArea({ platform }: LoadedConfig['settings'], area: Area) {
  const found = areaSettings(platform, area);
  if (!found) throw new TypeError(`platform.${area} is not configured`);
  return found;
}

/** A list of certificates replaces what Node trusts otherwise, so what the environment adds to that comes along. */
function travelling(transport: Transport | undefined, reach: LoadedConfig['reach']) {
  const { proxy = null, certificates = [], inherited = [], clientCertificate = null } = transport ?? {};
  return {
    proxy,
    // The operator chose a proxy of the environment, and where it may lead.
    lookup: proxy?.namedBy.startsWith('platform') === false ? undefined : reach?.lookup,
    certificates: certificates.length === 0 ? [] : [...certificates, ...inherited],
    clientCertificate,
  };
}

/** Every operation of the contract, with the method, path and statuses that the configuration gives it. */
export function configuredOperations({ platform }: LoadedConfig['settings']): typeof OPERATIONS {
  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operation]) => [
      name,
      { ...operation, ...dialectOf(platform, operation.area).operations[name] },
    ]),
  );
}

/**
 * How the platform behaves in a rehearsal: as the configuration named by `--config` says. No default file is read, because
 * the sandbox is for programs in other languages too. An explicit `--profile` wins; `command` has that option, with a
 * default. `webhook`: its block; null: there is no configuration. Errors: as `loadConfig`.
 */
export function rehearsedPlatform(command: Command) {
  const { profile } = command.opts<{ profile: SignatureProfileName }>();
  const { config: file } = commonOptions(command);
  if (file === undefined) {
    const usual: AreaDialect = { profile };
    return {
      dialects: { jobs: usual, training: usual },
      operations: OPERATIONS,
      timeZone: 'Asia/Jakarta',
      webhook: null,
    };
  }
  const { settings } = loadConfig({ file, ...io() });
  const explicit = command.getOptionValueSource('profile') !== 'default';
  const dialect = (area: Area): AreaDialect => {
    const { signature } = dialectOf(settings.platform, area);
    const baseUrl = settings.platform[area]?.baseUrl;
    const basePath = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '');
    return { profile: explicit ? profile : signature.profile, basePath };
  };
  return {
    dialects: { jobs: dialect('jobs'), training: dialect('training') },
    operations: configuredOperations(settings),
    timeZone: settings.platform.timeZone,
    webhook: settings.webhook,
  };
}
