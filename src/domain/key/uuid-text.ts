const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * @returns the UUID in lower case when the text is one in the 8-4-4-4-12 form, else null. Any version and variant
 * passes: the platform's own catalogue ids carry version digits that no standard defines.
 */
export function uuidText(text: string): string | null {
  return UUID_FORM.test(text) ? text.toLowerCase() : null;
}
