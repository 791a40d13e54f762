import { once } from 'node:events';
import type { Followed, Order, Received } from './bare-server.js';
import { startChild } from './start-child.js';

export interface BarePlatform {
  readonly url: string;
  /** How it answers from now on: 200, or 401, which ends a push at once. */
  answer(status: number): void;
  /** What it received while `work` went on. */
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly received: Received }>;
  /** Calls back for every request from now on. */
  follow(listener: (followed: Followed) => void): void;
  stop(): void;
}

/** Starts the bare server. It ends with this process at the latest. */
export async function startPlatform(): Promise<BarePlatform> {
  const child = startChild('world/bare-server.ts');
  const order = (message: Order): void => void child.send(message);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    answer: (status) => order({ status }),
    async during(work) {
      order('begin');
      const result = await work();
      const received = new Promise<Received>((resolve) => {
        const listen = (message: unknown): void => {
          // Others are of `follow`.
          if (typeof message !== 'object' || message === null || !('count' in message)) return;
          child.off('message', listen);
          resolve(message as Received);
        };
        child.on('message', listen);
      });
      order('report');
      return { result, received: await received };
    },
    follow(listener) {
      child.on('message', (message) => listener(message as Followed));
      order('follow');
    },
    stop: () => void child.kill(),
  };
}
