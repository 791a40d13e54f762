import { isLoopback } from '../../runtime/loopback.js';
import type { LoadedConfig } from '../../config/load.js';
import type { Notifier } from '../../ports/platform.js';
import { createMailNotifier } from '../../telemetry/mail-notice.js';
import { createPostNotifier } from '../../telemetry/post-notice.js';
import { VERSION } from './package-info.js';
import { systemClock } from './system-clock.js';

/** The configured ways of notifying; empty: no notices. */
export function openNotifiers({ settings: { notify } }: LoadedConfig): Notifier[] {
  const { url, secret, smtp } = notify;
  return [
    ...(url === null
      ? []
      : [createPostNotifier({ url, secret, version: VERSION, now: () => systemClock.now() })]),
    ...(smtp === null ? [] : [createMailNotifier({ ...smtp, isLoopback })]),
  ];
}
