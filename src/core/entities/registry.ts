import type { Entity } from './entity.js';

/**
 * Every kind of record that the worker knows, parents before their children: one line each. An entity is loaded when the
 * registry is read (`index.ts`); help needs the names alone.
 */
export const REGISTRY = {
  companies: async () => (await import('./companies.js')).companies,
  vacancies: async () => (await import('./vacancies.js')).vacancies,
  institutions: async () => (await import('./institutions.js')).institutions,
  trainings: async () => (await import('./trainings.js')).trainings,
  'application-statuses': async () => (await import('./application-statuses.js')).applicationStatuses,
} satisfies Readonly<Record<string, () => Promise<Entity>>>;

/** In this order. */
export const ENTITY_NAMES: readonly string[] = Object.keys(REGISTRY);
