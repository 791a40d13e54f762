import { it } from 'vitest';
import { connectFromDraft } from './connect-from-draft.js';

it('connects an Indonesian portal with UUID keys, jsonb and child tables, beginning with a draft', async () => {
  await connectFromDraft('portal');
});
