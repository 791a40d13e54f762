import { generalCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

export const replica = generalCheck({
  id: 'replica',
  levels: ['warn'],
  looksAt: 'whether the source is a replica, and whether it cancels long reads',
  remedy:
    'On the replica, set `hot_standby_feedback = on` or raise `max_standby_streaming_delay`. The state needs a database of its own: `state.url`.',
  judge: ({ source }) =>
    judged(source, ({ server, cancelsReads }) => {
      if (!server.replica) return [pass('the source is no replica')];
      if (!cancelsReads) return [pass('the source is a replica, and does not cancel long reads')];
      return [
        warn(
          'the source is a replica that cancels reads which block the replay of changes',
          'Set hot_standby_feedback = on there, or raise max_standby_streaming_delay.',
        ),
      ];
    }),
});
