import { io } from './io.js';

/** Asks before something that changes the platform. Without a terminal nobody can answer, so it goes on. */
export async function isConfirmed(question: string): Promise<boolean> {
  const { ask, signal } = io();
  const answer = await ask(`${question} [y/N] `, signal);
  return answer === null || (answer !== false && /^\s*y(es)?\s*$/i.test(answer));
}
