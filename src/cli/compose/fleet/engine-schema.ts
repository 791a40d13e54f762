/** The schema of the engine, beside that of the fleet. */
export function engineSchema(fleetSchema: string): string {
  return `${fleetSchema}_jobs`;
}
