/** The schema of the fleet's engine. It may be dropped at any time: nothing in it cannot be made again. */
export function engineSchema(fleetSchema: string): string {
  return `${fleetSchema}_jobs`;
}
