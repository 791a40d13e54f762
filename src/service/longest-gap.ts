import cron from 'node-cron';

/** Enough to see a weekend and a month of nights. */
const RUNS = 200;

/** The longest time between two of the next times of a cron expression, milliseconds; 0: fewer than two times. */
export function longestGap(expression: string, timeZone: string): number {
  const times = cron
    .createTask(expression, () => {}, { timezone: timeZone })
    .getNextRuns(RUNS)
    .map((time) => time.getTime());
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0);
}
