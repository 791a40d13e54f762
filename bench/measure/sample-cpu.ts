import { cpuTime } from './cpu-time.js';

const EVERY_MS = 250;
/** Of the time: at the beginning the program loads and sweeps. */
const SKIPPED_SHARE = 0.3;

/** Looks at a process from now on. The function that it gives ends that, and gives the cores that it used once it was under way. */
export function sampleCpu(pid: number): () => number {
  const samples: { readonly at: number; readonly cpu: number }[] = [];
  const timer = setInterval(() => {
    const cpu = cpuTime(pid);
    if (!Number.isNaN(cpu)) samples.push({ at: performance.now() / 1000, cpu });
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    const from = samples[Math.floor(samples.length * SKIPPED_SHARE)];
    const to = samples.at(-1);
    return from && to ? (to.cpu - from.cpu) / (to.at - from.at) : NaN;
  };
}
