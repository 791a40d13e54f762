import { statusColour } from './status-colour.js';
import type { Cell } from './table.js';

/** A number of a table; one of records that are rejected, invalid, deferred or waiting in the colour of that. Pure. */
export function countCell(column: string, count: number): Cell {
  return { text: count, colour: count === 0 ? null : statusColour(column) };
}
