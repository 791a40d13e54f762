/** Records of an entity that are still to be sent. A child of a parent that does not come (blocked) is not. Pure. */
export function leftOf(
  counts: Readonly<Record<'pending' | 'deferred' | 'waiting' | 'blocked', number>>,
): number {
  return counts.pending + counts.deferred + counts.waiting - counts.blocked;
}
