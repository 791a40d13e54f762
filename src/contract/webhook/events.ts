import type { z } from 'zod';
import type { Certainty } from '../certainty.js';
import { appliedAtApplication, flatApplication } from './new-application.js';

/** One payload layout of an event. */
export interface EventLayout {
  readonly name: 'applied-at' | 'flat';
  readonly title: string;
  readonly schema: z.ZodType;
  readonly certainty: Certainty;
}

/** One reason why the platform calls the partner (interface §6). */
export interface WebhookEvent {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Of the event itself: that there is such a call. */
  readonly certainty: Certainty;
  /** Empty: the interface shows no payload. */
  readonly layouts: readonly EventLayout[];
}

export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  {
    name: 'new-job-application',
    title: 'New job application',
    description:
      'Sent with POST when a new job application has arrived. The interface documents two layouts under slightly different names and does not state which one is in use, so a receiver accepts both.',
    certainty: 'specified',
    layouts: [
      {
        name: 'applied-at',
        title: 'Layout A, with applied_at',
        schema: appliedAtApplication,
        certainty: 'specified',
      },
      { name: 'flat', title: 'Layout B, flat', schema: flatApplication, certainty: 'specified' },
    ],
  },
  {
    name: 'job-application-canceled',
    title: 'Job Application Canceled Notification',
    description: 'Named in the interface; payload and trigger are not shown.',
    certainty: 'specified',
    layouts: [],
  },
];
