import type { Figure, Spread } from './figure.js';
import { judge } from './judge.js';

export interface FigureText {
  readonly what: string;
  readonly figure: string;
  readonly reference: string;
  readonly compared: string;
  readonly target: string;
  readonly reached: string;
  readonly aside: string;
}

const SIGNS = { ratio: ' ×', difference: '', value: '' } as const;

/** A figure in words, the same for the terminal and for the table of the documentation. Pure. */
export function figureText(figure: Figure): FigureText {
  const { what, rows, unit, value, reference, target, aside } = figure;
  const { compared, reached } = judge(figure);
  const of = target?.of ?? 'ratio';
  const compare = (number: number) =>
    of === 'ratio' ? `${digits(number)}${SIGNS.ratio}` : `${digits(number)} ${unit}`;
  const limits = target && [
    ...(target.atMost === undefined ? [] : [`≤ ${compare(target.atMost)}`]),
    ...(target.atLeast === undefined ? [] : [`≥ ${compare(target.atLeast)}`]),
  ];
  return {
    what: rows === null ? what : `${what}, ${rows.toLocaleString('en')} records`,
    figure: `${range(value)} ${unit}`,
    reference: reference === null ? '' : `${reference.what}: ${range(reference.value)} ${unit}`,
    compared:
      compared === null || of === 'value'
        ? ''
        : of === 'difference'
          ? `${compare(compared)} more`
          : compare(compared),
    target: limits?.join(', ') ?? '',
    reached: reached === null ? '' : reached ? 'yes' : 'no',
    aside,
  };
}

function range({ median, min, max }: Spread): string {
  return min === max ? digits(median) : `${digits(median)} (${digits(min)} to ${digits(max)})`;
}

/** Three digits that count. */
function digits(number: number): string {
  const size = Math.abs(number);
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return number.toLocaleString('en', { minimumFractionDigits: 0, maximumFractionDigits: decimals });
}
