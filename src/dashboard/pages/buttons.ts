import type { EntityName } from '../../domain/entity-name.js';
import type { TroubleOf } from '../../domain/trouble/trouble.js';
import { actionForm, askedForm } from './elements.js';
import type { Markup, Page } from './page.js';

/** Requests a run. */
export function runNow(page: Page): Markup {
  return actionForm(page, 'run', {}, page.texts.runNow, 'primary');
}

/** Approves what a guard stopped, after a question that names the counts. */
export function approve(page: Page, trouble: TroubleOf<'held' | 'push-held'>): Markup {
  const { texts, format } = page;
  const { entity } = trouble.subject;
  const name = texts.entityName(entity);
  return askedForm(
    texts.approve,
    trouble.kind === 'held'
      ? texts.approveSweep(
          name,
          format.number(trouble.counts.vanished),
          format.number(trouble.counts.invalid),
        )
      : texts.approvePush(name, format.number(trouble.count ?? 0)),
    actionForm(page, 'approve', { entity }, texts.approveYes, 'primary'),
  );
}

/** Sends all of that status again, after a question. */
export function retry(
  page: Page,
  entity: EntityName,
  status: 'rejected' | 'deferred',
  count: string,
): Markup {
  const { texts } = page;
  return askedForm(
    texts.retryAll(count),
    texts.retrySure(texts.entityName(entity), texts.statusNames[status]),
    actionForm(page, 'retry', { entity, status }, texts.retryYes, 'primary'),
  );
}
