/** By the interface: ISO 8601 in UTC+0. The operator's examples have whole seconds and `Z`. */
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]00(:?00)?)$/;

/**
 * `Request-Timestamp` of a webhook, milliseconds since the Unix epoch; null when it is invalid. Accepts more forms than
 * our requests use, because interface §5 promises only ISO 8601 in UTC+0.
 */
export function readWebhookTime(text: string): number | null {
  if (!UTC_TIME.test(text)) return null;
  const ms = Date.parse(`${text.slice(0, 19)}${/\.\d{1,3}/.exec(text)?.[0] ?? ''}Z`);
  return Number.isNaN(ms) ? null : ms;
}
