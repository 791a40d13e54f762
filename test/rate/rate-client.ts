/** Drives one load, given as JSON, in a process of its own; says when it has ended. */
import { driveLoad, type Load } from './measure-load.js';

// Nobody waits for it any more: a test that ran out of time.
process.once('disconnect', () => process.exit());
await driveLoad(JSON.parse(process.argv[2] ?? '') as Load);
process.disconnect();
