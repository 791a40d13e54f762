import { SyncError } from '../domain/errors.js';

/** The result of `work`, or SyncError `state-unavailable` after so many milliseconds; the work itself goes on. */
export async function inboxInTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `The inbox did not answer within ${ms / 1000} s.`;
      reject(new SyncError('state-unavailable', message, { scope: 'run' }));
    }, ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
