import { planNow } from '../run-now.js';
import type { Handler } from '../common-options.js';

interface PlanFlags {
  readonly entity: string[];
  readonly limit?: number;
  readonly diff?: boolean;
  readonly json?: boolean;
  readonly detailedExitcode?: boolean;
}

/** What `run` would send; writes nothing. */
export const planCommand: Handler = ({ command, signal }) => {
  const { detailedExitcode: detailed = false, json = false, ...flags } = command.opts<PlanFlags>();
  return planNow(command, signal, { ...flags, json, detailed });
};
