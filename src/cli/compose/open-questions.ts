import type { Emit } from '../../core/domain/events.js';
import { plural } from '../../core/domain/text.js';
import type { ConfiguredEntity } from '../../core/context.js';

/** Says what of a query chance decides, as far as its text shows; nothing without any. Doctor judges it with the database. */
export async function warnOfChance(
  entities: readonly Pick<ConfiguredEntity, 'name' | 'query'>[],
  emit: Emit,
): Promise<void> {
  const { chanceIn } = await import('../../features/doctor/sql/chance.js');
  for (const { name, query } of entities) {
    const found = chanceIn(query.sql);
    if (found.length === 0) continue;
    emit({
      type: 'warning',
      message: `The query of ${name} (${query.file}) leaves to chance what is sent: ${found.join(', ')}.`,
      hint: 'placement-sync doctor says what to write.',
    });
  }
}

/** Says how many questions of `init` are still in the queries, which nobody has answered, and where; nothing without any. */
export async function warnOfOpenQuestions(
  entities: readonly Pick<ConfiguredEntity, 'query'>[],
  emit: Emit,
): Promise<void> {
  if (!entities.some(({ query }) => /decide:/i.test(query.sql))) return;
  const { openDecisions } = await import('../../features/doctor/sql/conditions.js');
  const open = entities
    .map(({ query: { file, sql } }) => ({ file, count: openDecisions(sql).length }))
    .filter(({ count }) => count > 0);
  const all = open.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return;
  emit({
    type: 'warning',
    message: `${all} ${plural(all, 'question of init is', 'questions of init are')} open: ${open.map(({ file, count }) => `${count} in ${file}`).join(', ')}.`,
    hint: 'Each is a comment with "decide:". placement-sync doctor lists them with their lines.',
  });
}
