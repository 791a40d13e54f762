/** The two halves of the platform. Each has its own base address, credentials and rate limit (interface, head). */
export const AREAS = ['jobs', 'training'] as const;

export type Area = (typeof AREAS)[number];
