import type { Command } from 'commander';
import { checkNode } from '../../../fleet/queue.js';
import { loadFleet, type LoadedFleet } from '../../../config/fleet/load-fleet.js';
import { SyncError } from '../../../domain/errors.js';
import type { Emit } from '../../../domain/events.js';
import { standardErrorListener } from '../../command-context.js';
import { commonOptions } from '../../common-options.js';
import { withFleet, type OpenedFleet } from '../../compose/fleet/open-fleet.js';
import type { Handler } from '../../command-action.js';
import { io } from '../../io.js';

/** What every command of the fleet has. */
export interface FleetCommand {
  readonly command: Command;
  readonly fleet: LoadedFleet;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** What stands after the command's name. */
  readonly words: readonly string[];
}

/** Reads the fleet's configuration and does `work`. */
export function fleetCommand(work: (context: FleetCommand) => Promise<number>): Handler {
  return ({ command, signal, arguments: words }) => {
    checkNode(process.versions.node);
    const { config: file, quiet = false } = commonOptions(command);
    const fleet = loadFleet({ file, ...io() });
    const { level, format } = fleet.settings.logging;
    const emit = standardErrorListener({ level, format, quiet, bar: false });
    return work({ command, fleet, emit, signal, words });
  };
}

/** The same for a command that works on the table of tenants. */
export function tenantsCommand(
  work: (opened: OpenedFleet, context: FleetCommand) => Promise<number>,
): Handler {
  return fleetCommand((context) => withFleet(context.fleet, (opened) => work(opened, context)));
}

/** A tenant that a command names is not in the fleet. */
export function unknownTenant(name: string): SyncError {
  return new SyncError('usage', `The fleet has no tenant "${name}".`, {
    scope: 'usage',
    hint: 'placement-sync fleet list shows all of them.',
  });
}
