import { nextMemory, type MemoryOptions, type NoticeMemory } from '../../domain/notice/next-memory.js';
import type { NoticeKind, NoticeWay } from '../../domain/notice/notice.js';
import type { Observation } from '../../domain/notice/observation.js';

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
  observations: readonly Observation[],
  options: ReviseOptions,
): NoticeMemory[] {
  const { ways, on, subjects } = options;
  const wanted = observations.filter(({ trouble }) => on.includes(trouble));
  const revised = ways.flatMap((way) =>
    wanted.map((observation) => {
      const memory = memories.find((known) => known.way === way && isAbout(known, observation)) ?? null;
      return nextMemory(memory, way, observation, { ...options, tellsRecovery: on.includes('recovered') });
    }),
  );
  const untouched = memories.filter(
    (memory) =>
      ways.includes(memory.way) &&
      on.includes(memory.trouble) &&
      subjects.includes(memory.subject) &&
      !wanted.some((observation) => isAbout(memory, observation)),
  );
  return [...revised.filter((memory) => memory !== null), ...untouched];
}

function isAbout(memory: NoticeMemory, { trouble, subject }: Observation): boolean {
  return memory.trouble === trouble && memory.subject === subject;
}
