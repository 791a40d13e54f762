/**
 * Runs every way in turn, `rounds` times, and gives what each returned. In turn, because a busy machine is busy for
 * minutes: then it slows all of them down.
 */
export async function alternate<Way extends string, Result>(
  rounds: number,
  ways: Readonly<Record<Way, (round: number) => Promise<Result>>>,
): Promise<Record<Way, Result[]>> {
  const names = Object.keys(ways) as Way[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Way, Result[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) results[name].push(await ways[name](round));
  return results;
}
