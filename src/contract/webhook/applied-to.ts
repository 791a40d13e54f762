import { vacancyContract } from '../vacancy.js';

/** What `job.id` of a job application names: a record of this kind (interface §6). */
export const APPLIED_TO = vacancyContract;
