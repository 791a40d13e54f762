import type { Finding } from '../../domain/notice/finding.js';
import { nextMemory, type MemoryOptions, type NoticeMemory } from '../../domain/notice/next-memory.js';
import type { NoticeKind, NoticeWay } from '../../domain/notice/notice.js';

export interface ReviseOptions extends Omit<MemoryOptions, 'tellsRecovery'> {
  /** Ways that are configured. */
  readonly ways: readonly NoticeWay[];
  /** What is told. */
  readonly on: readonly NoticeKind[];
  /** Names of the configured entities and areas. */
  readonly subjects: readonly string[];
}

/**
 * What is remembered after a look at everything. Memories of what is not configured any more are left out; of what
 * nothing is known now they stay as they are. Pure.
 */
export function reviseMemories(
  memories: readonly NoticeMemory[],
  findings: readonly Finding[],
  options: ReviseOptions,
): NoticeMemory[] {
  const { ways, on, subjects } = options;
  const wanted = findings.filter(({ trouble }) => on.includes(trouble));
  const revised = ways.flatMap((way) =>
    wanted.map((finding) => {
      const memory = memories.find((known) => known.way === way && isAbout(known, finding)) ?? null;
      return nextMemory(memory, way, finding, { ...options, tellsRecovery: on.includes('recovered') });
    }),
  );
  const untouched = memories.filter(
    (memory) =>
      ways.includes(memory.way) &&
      on.includes(memory.trouble) &&
      subjects.includes(memory.subject) &&
      !wanted.some((finding) => isAbout(memory, finding)),
  );
  return [...revised.filter((memory) => memory !== null), ...untouched];
}

function isAbout(memory: NoticeMemory, { trouble, subject }: Finding): boolean {
  return memory.trouble === trouble && memory.subject === subject;
}
