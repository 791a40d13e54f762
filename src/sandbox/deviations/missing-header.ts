import { refusal, type Answer } from '../answer.js';
import { headerOf, type Headers } from '../header-of.js';

/** The refusal of a gateway that asks for headers of its own; null: all are there. Pure. */
export function missingHeader(headers: Headers, asked: Readonly<Record<string, string>>): Answer | null {
  const wrong = Object.entries(asked).find(([name, value]) => headerOf(headers, name) !== value);
  return wrong === undefined ? null : refusal(401, `The gateway needs the header ${wrong[0]}`);
}
