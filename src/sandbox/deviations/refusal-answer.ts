import type { AreaDeviations } from '../../config/deviations/deviation-schema.js';
import type { Answer } from '../answer.js';

type ErrorSettings = AreaDeviations['errors'];

/** What a refusal says, apart from its shape. */
interface Words {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  /** Sentences by field. */
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A refusal as this platform writes it, with its status and code. Anything else stays as it is. Pure. */
export function refusalAnswer(answer: Answer, errors: ErrorSettings): Answer {
  const { body, reason } = answer;
  if (reason === undefined && answer.status < 400) return answer;
  if (typeof body === 'string' || !('message' in body) || typeof body.message !== 'string') return answer;
  const set = reason === undefined ? undefined : errors[reason];
  const status = set?.status ?? answer.status;
  const { errors: fields } = body as { readonly errors?: Words['fields'] };
  const words: Words = { status, code: set?.code, message: body.message, fields };
  return { ...answer, status, ...shaped(words, errors.shape) };
}

function shaped(words: Words, shape: ErrorSettings['shape']): Pick<Answer, 'body' | 'headers'> {
  const { code, message, fields, status } = words;
  const coded = code === undefined ? {} : { code };
  const fielded = fields === undefined ? {} : { errors: fields };
  switch (shape) {
    case 'message':
      return { body: { ...coded, message, ...fielded } };
    case 'error':
      return { body: { ...coded, error: sentence(words) } };
    case 'error.message':
      return { body: { error: { ...coded, message: sentence(words) } } };
    case 'errors':
      return { body: { errors: listOf(words).map((each) => ({ ...coded, ...each })) } };
    case 'problem':
      return {
        body: { type: 'about:blank', title: code ?? message, status, detail: sentence(words) },
        headers: { 'content-type': 'application/problem+json' },
      };
    case 'nested':
      return {
        body: { status: { ...coded, reason: { description: message } }, failures: listOf(words) },
      };
    case 'text':
      return { body: withCode(words) };
    case 'html':
      return {
        body: `<!doctype html>\n<html><head><title>Error</title></head><body><p>${escaped(withCode(words))}</p></body></html>\n`,
      };
  }
}

/** Everything that is wrong, in one text. */
function sentence({ message, fields }: Words): string {
  return fields === undefined ? message : Object.values(fields).flat().join(' ');
}

function withCode(words: Words): string {
  return words.code === undefined ? sentence(words) : `${words.code}: ${sentence(words)}`;
}

function listOf({ message, fields }: Words): readonly object[] {
  if (fields === undefined) return [{ message }];
  return Object.entries(fields).flatMap(([field, texts]) => texts.map((text) => ({ field, message: text })));
}

/** A field's name comes from the client. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
