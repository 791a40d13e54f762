import type { EntityName } from '../../domain/entity-name.js';
import { actionForm, askedForm } from './elements.js';
import type { Markup, Page } from './page.js';

/** Asks for a sweep. */
export function runNow(page: Page): Markup {
  return actionForm(page, 'run', {}, page.texts.runNow, 'primary');
}

/** Permits what a guard stopped, after a question. */
export function permit(page: Page, entity: EntityName): Markup {
  const { texts } = page;
  return askedForm(
    texts.permit,
    texts.permitSure(texts.entityName(entity)),
    actionForm(page, 'approve', { entity }, texts.permitYes, 'primary'),
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
