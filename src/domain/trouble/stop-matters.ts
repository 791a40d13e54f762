/**
 * Whether the stop of an area is a trouble. Without anything to send, a silent area is none, nor one that asked for a pause,
 * nor one whose replies are not understood: no request would show that it is over. `left`: records that are to be sent to it; null: not counted. Pure.
 */
export function stopMatters(code: string, left: number | null): boolean {
  return left !== 0 || !['breaker-open', 'long-pause', 'reply-not-understood'].includes(code);
}
