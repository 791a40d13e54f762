import { seedSample } from '../../src/demo/sample/seed-sample.js';
import { cloneFilled } from './clone-filled.js';
import type { TestDatabase } from './test-database.js';

/** A database with the sample of the HR vendor (seed 1, deadlines from today on). */
export async function createSampleDatabase(): Promise<TestDatabase> {
  return await cloneFilled('sample', ({ client }) => seedSample(client, { seed: 1 }));
}
