import { InvalidArgumentError } from 'commander';

/**
 * Codes that may end a run well for a scheduler. Of 1 and 2 nothing may have been done, and only the exit code says so.
 */
const ALLOWED: readonly number[] = [3, 4, 5, 6];

/** Parses `3,6`: exit codes of a run that end the process with 0. */
export function successCodesArgument(value: string): readonly number[] {
  const codes = value.split(',').map((part) => part.trim());
  const wrong = codes.filter((code) => !ALLOWED.map(String).includes(code));
  if (wrong.length > 0) {
    const named = wrong.map((code) => `"${code}"`).join(', ');
    throw new InvalidArgumentError(
      `Expected exit codes among ${ALLOWED.join(', ')}, separated by commas, as 3,6. Not allowed: ${named}.`,
    );
  }
  return codes.map(Number);
}
