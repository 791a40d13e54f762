import type { DoctorEntity } from '../doctor-entity.js';

/** Columns without which a record is invalid: those of the contract, and those that are assumed or configured. Pure. */
export function mustFill({ columns, mapContext, assumedRequired }: DoctorEntity): readonly string[] {
  const always = columns.filter(({ required }) => required).map(({ name }) => name);
  return [...new Set([...always, ...(mapContext.required ?? assumedRequired)])];
}
