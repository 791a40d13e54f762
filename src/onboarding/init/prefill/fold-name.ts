/** Nothing but the letters: `Côte d’Ivoire` is `cotedivoire`. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');
}
