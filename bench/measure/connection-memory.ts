import { readdirSync, readFileSync } from 'node:fs';

/** Memory of its own of the largest connection of a Postgres server, MB. */
export function connectionMemory(server: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return Math.max(0, ...all.map((pid) => ownMemory(pid, server)));
}

/** 0: it has ended, or ends just now, or is no child of the server. */
function ownMemory(pid: string, parent: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]);
    return number('PPid') === parent ? (number('RssAnon') || 0) / 1024 : 0;
  } catch {
    return 0;
  }
}
