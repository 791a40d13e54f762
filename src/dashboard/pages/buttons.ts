import type { EntityName } from '../../domain/names.js';
import { describeConsequences } from '../../domain/trouble/consequences.js';
import type { TroubleOf } from '../../domain/trouble/trouble.js';
import { NOTHING_HELD } from '../../domain/guard.js';
import { actionForm, askedForm } from './elements.js';
import type { Markup, Page } from './page.js';
import { pageWords } from './page-words.js';

/** Requests a run. */
export function runNow(page: Page): Markup {
  return actionForm(page, 'run', {}, page.texts.runNow, 'primary');
}

/** Approves what a guard stopped, after a question that says what will happen at the platform. */
export function approve(page: Page, trouble: TroubleOf<'held' | 'push-held'>, now: Date): Markup {
  const { texts } = page;
  const { entity } = trouble.subject;
  // A newer sweep may find more than what this page shows: then the button approves nothing of it.
  const { vanished, invalid, changed = 0 } = trouble.sweep ?? NOTHING_HELD;
  const seen = { vanished: String(vanished), invalid: String(invalid), changed: String(changed) };
  const words = pageWords(page, now);
  const consequences = describeConsequences(trouble.consequences, entity, page.language, words);
  return askedForm(
    texts.approve,
    [texts.approveSure(texts.entityName(entity)), ...consequences].join(' '),
    actionForm(page, 'approve', { entity, ...seen }, texts.approveYes, 'primary'),
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
