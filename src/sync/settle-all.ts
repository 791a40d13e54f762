/** The results of work side by side. Rejects with the first failure, but only when nothing is under way any more. */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
