import { expect, it } from 'vitest';
import { checkValues } from '../../../src/onboarding/catalog/read-details.js';

it.each([
  [`CHECK ((state = ANY (ARRAY['A'::text, 'it''s'::text])))`, ['A', "it's"]],
  [
    `CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'closed'::character varying])::text[])))`,
    ['open', 'closed'],
  ],
  [
    `CHECK (((state)::text = ANY (ARRAY[('a'::character varying)::text, ('b'::character varying)::text])))`,
    ['a', 'b'],
  ],
  ['CHECK ((kind = ANY (ARRAY[0, 1, 2])))', ['0', '1', '2']],
  ['CHECK ((kind = ANY (ARRAY[1, (-1)]))) NOT VALID', ['1', '-1']],
  [`CHECK (((kind IS NULL) OR (kind = ANY (ARRAY['x'::text]))))`, ['x']],
  [`CHECK (((sex = 'L'::bpchar) OR (sex = 'P'::bpchar)))`, ['L', 'P']],
  [`CHECK ((VALUE = ANY (ARRAY['S1'::text, 'S2 (ok)'::text])))`, ['S1', 'S2 (ok)']],
  ['CHECK ((quota > 0))', null],
  ['CHECK ((starts <= ends))', null],
  [`CHECK (((a = 'x'::text) OR (b > 3)))`, null],
  [`CHECK ((char_length(name) = 3))`, null],
])('%s has the values %j', (definition, values) => {
  expect(checkValues(definition)).toEqual(values);
});
