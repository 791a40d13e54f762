import { generalCheck } from '../check.js';
import { fail, pass, warn, type Verdict } from '../finding.js';

export const state = generalCheck({
  id: 'state',
  levels: ['warn', 'fail'],
  looksAt:
    'whether the state database can be reached, its tables belong to this version, and the ledger to the configured platform',
  remedy:
    '`placement-sync migrate`; a source that may only be read needs another database for the state: `state.url`.',
  judge({ state: known }) {
    if ('cause' in known) {
      return [
        warn(
          known.cause,
          known.hint ??
            'Set state.url to a database in which the worker may make tables. plan and run need it.',
        ),
      ];
    }
    const { unmigrated, mayCreate, differences } = known.value;
    const verdicts: Verdict[] = differences.map((difference) =>
      fail(difference, 'run refuses to begin: see placement-sync adopt --environment (docs/runbook.md).'),
    );
    if (unmigrated !== null) verdicts.push(unmigratedVerdict(unmigrated, mayCreate));
    return verdicts.length > 0 ? verdicts : [pass('the state schema is up to date')];
  },
});

function unmigratedVerdict(message: string, mayCreate: boolean | null): Verdict {
  const text = message.replace(/\.$/, '');
  if (mayCreate === false) {
    return warn(
      `${text}, and the role of state.url may not make them`,
      'Set state.url to another database or role; then placement-sync migrate.',
    );
  }
  return warn(text, 'placement-sync migrate (run and start also take --migrate).');
}
