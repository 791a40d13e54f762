/** Who keeps this process from working. `own`: under the name of this process. Pure. */
export function holderText(held: {
  readonly lease: string;
  readonly holder: string;
  readonly secondsLeft: number;
  readonly own: boolean;
}): string {
  const { lease, holder, secondsLeft, own } = held;
  return own
    ? `An earlier process with the name of this one (${holder}) did not release the ${lease} lease, valid for ${secondsLeft} s. It ends by itself.`
    : `Another process is running: ${holder} holds the ${lease} lease, valid for ${secondsLeft} s.`;
}
