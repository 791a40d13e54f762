/** The schema of a fleet's engine, beside `fleet.schema`. Nothing else may be in it. */
export function engineSchema(fleetSchema: string): string {
  return `${fleetSchema}_jobs`;
}
