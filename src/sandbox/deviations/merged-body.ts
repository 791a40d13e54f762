type Body = Readonly<Record<string, unknown>>;

/** The body that a platform holds which merges: a field that was not sent stays, null clears one. Pure. */
export function mergedBody(held: Body | null, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  // No prototype: a client may name a field __proto__.
  const merged = Object.assign(Object.create(null), held, sent) as Record<string, unknown>;
  for (const [field, value] of Object.entries(merged)) if (value === null) delete merged[field];
  return merged;
}
