import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints the slowest files at the end of a run, so that one that grew is noticed. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < SHOWN) return;
    const files = modules
      .map((module) => ({
        name: `${module.project.name} ${module.relativeModuleId}`,
        seconds: module.diagnostic().duration / 1_000,
      }))
      .sort((left, right) => right.seconds - left.seconds);
    const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
    const lines = files
      .slice(0, SHOWN)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
    process.stdout.write(
      `The slowest of ${files.length} files (${all.toFixed(0)} s together):\n${lines.join('\n')}\n`,
    );
  }
}
