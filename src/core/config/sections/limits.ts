import { z } from 'zod';
import { duration, flag, LONGEST_TIMER, percent, wholeNumber } from '../schema-walk.js';

/** The blocks `guards`, `retry`, `sweep` and `verify`. */

export const guardSettings = z
  .strictObject({
    maxVanishedPercent: percent().default(10).meta({
      description: 'An entity is held when more than this share of its records vanished in one sweep.',
    }),
    maxVanishedCount: wholeNumber({ min: 0 })
      .default(1000)
      .meta({ unit: 'records', description: 'The same as a number of records.' }),
    maxInvalidPercent: percent().default(50).meta({
      description:
        'An entity is held when more than this share of its known records was valid before and is invalid now, or when one sweep takes the share of all its rows that are invalid beyond it.',
    }),
    maxChangedPercent: percent().default(50).meta({
      description:
        'An entity is held when more than this share of its records that stayed valid changed in one sweep, from 100 records on. Another query, lookup or mapping setting may change all of them.',
    }),
    maxSameRefusals: wholeNumber({ min: 2 }).default(5).meta({
      unit: 'records',
      description:
        'So many records of an entity that are refused alike in a row are hardly all at fault: one that was accepted before is sent again unchanged, and the area stops, and nothing is rejected, unless that passes.',
    }),
    maxRejectedInARow: wholeNumber({ min: 1 }).default(50).meta({
      unit: 'records',
      description:
        'An entity is held when the platform refuses this many records in a row before it accepts the first.',
    }),
    requireReason: flag().default(false).meta({
      description:
        'What goes on where the program stopped to ask needs a reason: `approve`, also on the page, `retry --removed`, `verify --repair --field` and `adopt --environment` need `--reason`.',
    }),
  })
  .prefault({});

export const retrySettings = z
  .strictObject({
    maxAttempts: wholeNumber({ min: 1 }).default(10).meta({
      unit: 'attempts',
      description:
        'After this many transient failures of its own a record is rejected, until `retry`. A failure counts only while the platform answers other requests.',
    }),
    baseDelay: duration({ max: LONGEST_TIMER }).prefault('30s').meta({
      description:
        'Wait after the first failure; it doubles each time. Longest pause after a 429 that names no time.',
    }),
    maxDelay: duration({ max: LONGEST_TIMER }).prefault('6h').meta({
      description:
        'Longest wait between two attempts of a record. A worker tries a stopped area again after five minutes at most.',
    }),
    breakerAfter: wholeNumber({ min: 1 }).default(10).meta({
      unit: 'failures',
      description:
        'An area is stopped after this many transient failures in a row, also across runs; or when nothing of a push was answered.',
    }),
    maxPause: duration({ min: '0s', max: LONGEST_TIMER }).prefault('60s').meta({
      description:
        'If the platform asks for a longer pause (Retry-After), a `run` ends; the rest stays pending.',
    }),
    runFor: duration({ min: '0s', max: LONGEST_TIMER }).prefault('2m').meta({
      description:
        'A `run`, a `resync` and other commands that send try deferred records again, and an area that does not answer, until this has passed since their push began. 0s: they end at once. A run in which nothing is deferred ends at once, and one of a fleet, and one that meets a certificate that is not trusted, a TLS alert, or what is not HTTP.',
    }),
  })
  .transform(({ baseDelay, maxDelay, maxPause, runFor, ...rest }) => ({
    ...rest,
    baseDelayMs: baseDelay,
    maxDelayMs: maxDelay,
    maxPauseMs: maxPause,
    runForMs: runFor,
  }))
  .prefault({});

export const sweepSettings = z
  .strictObject({
    fullEvery: duration({ min: '0s' }).prefault('24h').meta({
      description:
        'At least this often, a sweep reads every row in full, whatever its row_version says. 0s: every sweep.',
    }),
  })
  .transform(({ fullEvery }) => ({ fullEveryMs: fullEvery }))
  .prefault({});

export const verifySettings = z
  .strictObject({
    sharePercent: wholeNumber({ min: 1, max: 100 }).default(10).meta({
      unit: '%',
      description:
        'Share of the rate limit for reading records back. `verify` adds its share to a run that is under way; `schedule.verify` takes its share from the rate of `start`.',
    }),
  })
  .prefault({});
