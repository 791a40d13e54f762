let codes: ReadonlySet<string> | undefined;

/** Whether the text is a currency code of ISO 4217, in capitals; former ones pass. */
export function isCurrency(code: string): boolean {
  // Built at the first question: many commands ask none.
  codes ??= new Set(Intl.supportedValuesOf('currency'));
  return codes.has(code);
}
