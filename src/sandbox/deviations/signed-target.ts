/** Where the paths of an area begin, and what of it is signed. */
export interface PathSettings {
  /** Paths in front of every path of the area; "": none. */
  readonly prefixes: readonly string[];
  /** Stands in place of the prefix in what is signed; null: what was received is what is signed. */
  readonly signedPrefix: string | null;
}

/**
 * The path that a client of this area signs. Pure.
 * @param received as the request had it
 * @param bare the same without the prefix; null: it is no path of the area
 */
export function signedTarget(
  received: string,
  bare: string | null,
  { signedPrefix }: Pick<PathSettings, 'signedPrefix'>,
): string {
  return signedPrefix === null || bare === null ? received : `${signedPrefix}${bare}`;
}
