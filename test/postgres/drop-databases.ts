import { afterAll } from 'vitest';
import { atEndOfFile } from './at-end-of-file.js';

afterAll(async () => {
  for (let end = atEndOfFile.pop(); end; end = atEndOfFile.pop()) await end();
});
