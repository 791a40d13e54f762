import { platformTimestamp } from '../../contract/time.js';
import type { LoadedConfig } from '../../config/load.js';
import type { Emit } from '../../domain/events.js';
import type { Finding } from '../../onboarding/doctor/finding.js';
import { runDoctor, type DoctorOptions } from '../../onboarding/doctor/run-doctor.js';
import { prepareQuery } from '../../source/query.js';
import { withWork } from '../../sync/lease.js';
import { configuredEntities } from './configured-entities.js';
import { keepHeapSmall } from './keep-heap-small.js';
import { openDoctorState } from './open-doctor-state.js';
import { openPlatforms } from './open-platforms.js';
import { openSource } from './open-source.js';
import { systemClock } from './system-clock.js';
import { tryArea } from './try-area.js';

/** Longest statement beside the reading of rows. */
const STATEMENT_MS = 30_000;
/** How long statements about the query of an entity are begun. The number of joins decides how many there are. */
const INSPECT_MS = 120_000;
/** Longest reading of the rows of an entity; what was read until then is judged. */
const PASS_MS = 120_000;

export interface ExamineOptions {
  /** Names of entities; empty: all configured ones. */
  readonly entity: readonly string[];
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Opens what doctor looks at, as far as it can be opened, and gives the findings. Errors: SyncError `usage`. */
export async function examine(config: LoadedConfig, options: ExamineOptions): Promise<readonly Finding[]> {
  keepHeapSmall();
  const { emit, signal, entity } = options;
  const entities = configuredEntities(config, entity);
  const configured = configuredEntities(config);
  const source = openSource(config);
  const platforms = openPlatforms(config);
  const state = openDoctorState(config, configured, signal);
  try {
    return await runDoctor(
      {
        entities,
        configured,
        areas: [...new Set(entities.map(({ area }) => area))],
        settings: settingsOf(config),
        statementMs: STATEMENT_MS,
        inspectMs: INSPECT_MS,
        passMs: PASS_MS,
      },
      {
        source,
        prepareQuery,
        readState: state.read,
        findApplications: state.findApplications,
        tryArea: (area) => tryArea(config, platforms, area),
        now: () => systemClock.now(),
        signal,
        during: (work, task) => withWork(emit, work, task),
      },
    );
  } finally {
    await Promise.allSettled([source.close(), platforms.close(), state.close()]);
  }
}

function settingsOf({ settings }: LoadedConfig): DoctorOptions['settings'] {
  const { source, platform, guards } = settings;
  return {
    source,
    platformTimeZone: platform.timeZone,
    maxInvalidPercent: guards.maxInvalidPercent,
    today: platformTimestamp(systemClock.now(), platform.timeZone).slice(0, 10),
  };
}
