import type { Command } from 'commander';
import { dialectOf } from '../../config/area-settings.js';
import { loadConfig } from '../../config/load.js';
import { OPERATIONS } from '../../entities/operations.js';
import type { RequestTimestampForm } from '../../contract/request-timestamp.js';
import type { SignatureChoice, SignatureProfileName } from '../../contract/signature-profiles.js';
import { io } from '../io.js';
import { commonOptions } from '../common-options.js';
import { configuredOperations } from './configured-operations.js';

/** How the platform behaves in a rehearsal. */
export interface RehearsedPlatform {
  readonly signature: SignatureChoice;
  readonly timestamp: RequestTimestampForm;
  /** What is signed before the path that arrives. */
  readonly signedPrefix: string;
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
    return {
      signature: { profile },
      timestamp: 'seconds',
      signedPrefix: '',
      operations: OPERATIONS,
      timeZone: 'Asia/Jakarta',
      webhookSecret: null,
    };
  }
  const { settings } = loadConfig({ file, ...io() });
  const { signature } = dialectOf(settings.platform, 'jobs');
  const explicit = command.getOptionValueSource('profile') !== 'default';
  return {
    signature: explicit ? { profile } : signature,
    timestamp: signature.timestamp,
    signedPrefix: signature.signedPrefix ?? '',
    operations: configuredOperations(settings),
    timeZone: settings.platform.timeZone,
    webhookSecret: settings.webhook.secrets[0] ?? null,
  };
}
