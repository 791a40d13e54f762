/**
 * The zones that the process of the tests lives in: the one of servers, the platform's, and one with an odd offset and
 * daylight saving.
 */
export const TIME_ZONES = ['UTC', 'Asia/Jakarta', 'America/St_Johns'] as const;

/** The tests whose outcome could depend on that zone: dates and times, schedules, settings, the signature's clock. */
export const ZONE_TESTS = [
  'test/config/{duration,load,rules}.test.ts',
  'test/contract/{signature,timestamps}.test.ts',
  'test/contract/webhook/read-application.test.ts',
  'test/domain/reply/{clock-skew,http-date,retry-after}.test.ts',
  'test/entities/{maps,whole-bodies}.test.ts',
  'test/entities/value/{date,date-laws}.test.ts',
  'test/service/{check-schedule,due-by,longest-gap}.test.ts',
  'test/source/values.test.ts',
  'test/webhook/start-webhook.test.ts',
];

/** A name of a vitest project: a slash in it could not be selected by `--project`. */
export const projectOf = (zone: string): string => zone.replace('/', '-');
