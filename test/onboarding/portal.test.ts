import { it } from 'vitest';
import { connectByHand } from './connect-by-hand.js';

it('connects an Indonesian portal with UUID keys, jsonb and child tables', async () => {
  await connectByHand('portal');
});
