import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage at once, so that what is left is alive. */
export const collectGarbage = runInNewContext('gc') as () => void;
