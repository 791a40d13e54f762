import type { Command } from 'commander';
import { dialectOf } from '../../config/schema.js';
import { loadConfig } from '../../config/load.js';
import { OPERATIONS } from '../../entities/index.js';
import type { SignatureProfileName } from '../../contract/signature.js';
import type { Area } from '../../domain/names.js';
import type { DialectOptions } from '../../sandbox/deviations/area-dialect.js';
import { io } from '../io.js';
import { commonOptions } from '../common-options.js';
import { configuredOperations } from './configured-operations.js';

/** How the platform behaves in a rehearsal. */
export interface RehearsedPlatform {
  readonly dialects: Readonly<Record<Area, DialectOptions>>;
  readonly operations: typeof OPERATIONS;
  readonly timeZone: string;
  /** The secret that signs webhooks; null: the configuration has none, or there is no configuration. */
  readonly webhookSecret: string | null;
}

/**
 * The platform settings of the configuration named by `--config`. No default file is read, because the sandbox is for
 * programs in other languages too. An explicit `--profile` wins.
 * @param command has an option `--profile` with a default
 * Errors: as `loadConfig`.
 */
export function rehearsedPlatform(command: Command): RehearsedPlatform {
  const { profile } = command.opts<{ profile: SignatureProfileName }>();
  const { config: file } = commonOptions(command);
  if (file === undefined) {
    const usual = { signature: { profile } };
    return {
      dialects: { jobs: usual, training: usual },
      operations: OPERATIONS,
      timeZone: 'Asia/Jakarta',
      webhookSecret: null,
    };
  }
  const { settings } = loadConfig({ file, ...io() });
  const explicit = command.getOptionValueSource('profile') !== 'default';
  const dialect = (area: Area): DialectOptions => {
    const { signature } = dialectOf(settings.platform, area);
    const { timestamp, signedPrefix } = signature;
    const baseUrl = settings.platform[area]?.baseUrl;
    const basePath = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '');
    return { signature: explicit ? { profile } : signature, timestamp, signedPrefix, basePath };
  };
  return {
    dialects: { jobs: dialect('jobs'), training: dialect('training') },
    operations: configuredOperations(settings),
    timeZone: settings.platform.timeZone,
    webhookSecret: settings.webhook.secrets[0] ?? null,
  };
}
