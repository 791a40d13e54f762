import {
  type MemoryOptions,
  nextMemory,
  type NoticeKind,
  type NoticeMemory,
  type NoticeWay,
  type Observation,
} from '../../domain/notice.js';

export interface ReviseOptions extends Omit<MemoryOptions, 'notifiesRecovery'> {
  /** Ways that are configured. */
  readonly ways: readonly NoticeWay[];
  /** Kinds of notices to send. */
  readonly on: readonly NoticeKind[];
  /** Names of the configured entities and areas. */
  readonly subjects: readonly string[];
}

/**
 * The memories after a look at everything. Memories of what is no longer configured are dropped; memories without an
 * observation stay as they are. Pure.
 */
export function reviseMemories(
  memories: readonly NoticeMemory[],
  observations: readonly Observation[],
  options: ReviseOptions,
): NoticeMemory[] {
  const { ways, on, subjects } = options;
  const notified = observations.filter(({ trouble }) => on.includes(trouble));
  const revised = ways.flatMap((way) =>
    notified.map((observation) => {
      const memory = memories.find((known) => known.way === way && isAbout(known, observation)) ?? null;
      return nextMemory(memory, way, observation, { ...options, notifiesRecovery: on.includes('recovered') });
    }),
  );
  const untouched = memories.filter(
    (memory) =>
      ways.includes(memory.way) &&
      on.includes(memory.trouble) &&
      subjects.includes(memory.subject) &&
      !notified.some((observation) => isAbout(memory, observation)),
  );
  return [...revised.filter((memory) => memory !== null), ...untouched];
}

function isAbout(memory: NoticeMemory, { trouble, subject }: Observation): boolean {
  return memory.trouble === trouble && memory.subject === subject;
}
