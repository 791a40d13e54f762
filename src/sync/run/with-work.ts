import type { Emit } from '../../domain/events.js';

/** Does `task` and reports it as under way meanwhile. `work`: what it is, without a full stop. */
export async function withWork<T>(emit: Emit, work: string, task: () => Promise<T>): Promise<T> {
  emit({ type: 'work-started', work, total: null });
  try {
    return await task();
  } finally {
    emit({ type: 'work-ended', work });
  }
}
