/** `… 1,845 more`, `… one more line`: what a list leaves out. `what`: in the singular; left out: nothing is named. Pure. */
export function moreText(count: number, what?: string): string {
  const number = count === 1 ? 'one' : count.toLocaleString('en-US');
  return `… ${number} more${what === undefined ? '' : ` ${what}${count === 1 ? '' : 's'}`}`;
}
