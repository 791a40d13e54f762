import type { Command } from 'commander';
import { loadConfig } from '../../config/load.js';
import { OPERATIONS } from '../../entities/operations.js';
import type { SignatureChoice, SignatureProfileName } from '../../contract/signature-profiles.js';
import { io } from '../io.js';
import { commonOptions } from '../common-options.js';
import { configuredOperations } from './configured-operations.js';

/** How the platform behaves towards the worker that rehearses. */
export interface RehearsedPlatform {
  readonly signature: SignatureChoice;
  readonly operations: typeof OPERATIONS;
  readonly timeZone: string;
  /** What it signs webhooks with; null: the configuration receives none, or there is no configuration. */
  readonly webhookSecret: string | null;
}

/**
 * What a configuration says of the platform, where one was named by `--config`; no other is looked for, because the
 * sandbox is for programs in other languages too. An explicit `--profile` counts more.
 * @param command has an option `--profile` with a default
 * Errors: as `loadConfig`.
 */
export function rehearsedPlatform(command: Command): RehearsedPlatform {
  const { profile } = command.opts<{ profile: SignatureProfileName }>();
  const { config: file } = commonOptions(command);
  if (file === undefined) {
    return { signature: { profile }, operations: OPERATIONS, timeZone: 'Asia/Jakarta', webhookSecret: null };
  }
  const { settings } = loadConfig({ file, ...io() });
  const explicit = command.getOptionValueSource('profile') !== 'default';
  return {
    signature: explicit ? { profile } : settings.platform.signature,
    operations: configuredOperations(settings),
    timeZone: settings.platform.timeZone,
    webhookSecret: settings.webhook.secrets[0] ?? null,
  };
}
