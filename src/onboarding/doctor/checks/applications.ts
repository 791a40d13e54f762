import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judgedRows } from '../judged-rows.js';
import { judged } from '../learned.js';

export const applications = entityCheck({
  id: 'applications',
  levels: ['warn'],
  looksAt: 'application statuses whose application is not in the inbox, which the webhook fills',
  remedy:
    'Return the id that the webhook brought (or `vacancy_key` and `email`), not the key of your own table.',
  judge: ({ entity, rows }) => {
    if (!entity.application) return [];
    return judgedRows(rows, ({ foreign, read }) => {
      if (foreign === null) return [];
      return judged(foreign, ({ count, sample }) => {
        if (count === 0)
          return [
            pass(
              entity.requireInbox
                ? 'every application is in the inbox'
                : 'the inbox is not asked (requireInbox: false)',
            ),
          ];
        const all = count === read ? ' (all of them)' : '';
        return [
          warn(
            `${count.toLocaleString('en-US')} ${entity.noun.many}${all} match no application in the inbox, so they are not sent`,
            'Applications come by webhook. Return the id that it brought, or vacancy_key and email; not the key of a table of yours.',
            { count, sample },
          ),
        ];
      });
    });
  },
});
