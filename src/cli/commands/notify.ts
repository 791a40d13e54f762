import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { usageError } from '../../core/domain/errors.js';
import { testNotice } from '../../features/notices/compose-notice.js';
import { commandContext } from '../command-context.js';
import { openNotifiers } from '../compose/notices.js';
import { writeOut } from '../output/write.js';
import type { Handler } from '../common-options.js';

export const notifyCommand: Handler = async ({ command, signal }) => {
  const { config } = commandContext(command);
  const notifiers = openNotifiers(config);
  if (notifiers.length === 0) {
    throw usageError(
      'Neither notify.url nor notify.smtp is configured, so no notices are sent.',
      'Set one of them; docs/watch.md shows how.',
    );
  }
  const notice = testNotice(randomUUID(), new Date(), `${hostname()} pid ${process.pid}`);
  const deliveries = await Promise.all(
    notifiers.map(async (notifier) => ({
      ...notifier,
      delivery: await notifier.deliver(notice, signal),
    })),
  );
  const { url, secret } = config.settings.notify;
  for (const { way, receiver, delivery } of deliveries) {
    const said =
      delivery.kind === 'delivered'
        ? `ok      ${delivery.detail}`
        : `failed  ${delivery.reason}\n  → ${delivery.hint}`;
    writeOut(`${way.padEnd(4)}  ${receiver}  ${said}`);
  }
  if (url !== null && secret === null)
    writeOut('notify.secret is not set, so requests to notify.url are not signed.');
  return deliveries.every(({ delivery }) => delivery.kind === 'delivered') ? 0 : 1;
};
