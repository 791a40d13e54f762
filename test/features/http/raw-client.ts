import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which bytes are written as they are. */
export interface RawClient {
  readonly socket: Socket;
  /** Text that came back so far. */
  received(): string;
  readonly ended: Promise<void>;
}

/** Connects, or finds itself cut off. */
export async function dial(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  await Promise.race([new Promise<void>((resolve) => socket.once('connect', () => resolve())), ended]);
  return { socket, received: () => text, ended };
}

/** So many of them at once. */
export async function dialAll(port: number, count: number): Promise<RawClient[]> {
  return await Promise.all(Array.from({ length: count }, () => dial(port)));
}
