import { ERROR_CODES, type ErrorCode } from '../../domain/errors.js';

/** How a verify ended. */
export interface VerifyEnd {
  /** A signal ended it. */
  readonly interrupted: boolean;
  /** Of the areas that were not read back completely. */
  readonly stops: readonly { readonly code: ErrorCode }[];
  /** Exit code of the push that sent again what differs; 0: there was none. */
  readonly ofRepair: number;
  /** Records that differ or are missing, and were not repaired. */
  readonly leftOver: number;
}

/** Of several the first: 1 interrupted or the repair failed, 5 an area stopped, 3 a difference is left. Pure. */
export function verifyExitCode({ interrupted, stops, ofRepair, leftOver }: VerifyEnd): number {
  if (interrupted || ofRepair === 1) return 1;
  if (stops.length > 0) return Math.max(...stops.map(({ code }) => ERROR_CODES[code]));
  if (ofRepair === 5) return 5;
  return leftOver > 0 ? 3 : 0;
}
