/**
 * An id for examples that nobody takes for one of the platform's catalogue.
 * @param number from 0
 */
export function exampleId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
