/** Results, for people or programs: standard output. */
export function writeOut(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Everything else: standard error. */
export function writeError(text: string): void {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** One JSON document. */
export function writeJson(value: unknown): void {
  writeOut(JSON.stringify(value, null, 2));
}
