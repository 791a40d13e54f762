import { expect, test } from 'vitest';
import { createWorkerMetrics } from '../../src/cli/compose/open-listeners.js';
import { readStatus } from '../../src/sync/explain/read-status.js';
import { openTestState, wants } from '../state/open-test-state.js';

test('the metric and status show a silent area as stopped while something is left to send, and not after', async () => {
  const state = await openTestState();
  const metrics = createWorkerMetrics(['companies']);
  metrics.use(() => state);
  const stop = { code: 'breaker-open', message: 'HTTP 503', hint: '' } as const;
  metrics.emit({ type: 'area-stopped', area: 'jobs', ...stop });
  await state.areaStates.save(state.push, {
    area: 'jobs',
    answered: false,
    failuresInARow: 3,
    lastError: null,
    stop,
  });
  const line = async () => {
    const { text } = await metrics.render();
    return text.split('\n').find((each) => each.startsWith('placement_sync_area_stopped{'));
  };
  const inStatus = async () => (await readStatus(state, ['companies'])).stoppedAreas?.length ?? 0;

  await state.publish('companies', wants('a', '1'));
  expect([await line(), await inStatus()]).toEqual([expect.stringMatching(/ 1$/), 1]);
  // Its source no longer has it, and the platform never did.
  await state.sql('delete from placement_sync.sync_state');
  expect([await line(), await inStatus()]).toEqual([expect.stringMatching(/ 0$/), 0]);
});
