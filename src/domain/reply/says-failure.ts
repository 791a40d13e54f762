import { isObject } from './refusal.js';

/** Words of `status` that mean a failure. */
const FAILED = /^(error|errors|fail|failed|failure|nok|ko|gagal)$/i;

/**
 * Whether the body of a success says all the same that the request failed, as services do that answer everything with
 * 200: `{ success: false }`, `{ errors: [..] }`, `{ status: "error" }`. Pure.
 */
export function saysFailure(json: unknown): boolean {
  if (!isObject(json)) return false;
  const flags = [json, json.meta].filter(isObject);
  return flags.some(
    ({ success, ok, status, error, errors }) =>
      success === false ||
      ok === false ||
      (typeof status === 'string' && FAILED.test(status.trim())) ||
      error === true ||
      isFilled(error) ||
      isFilled(errors),
  );
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
