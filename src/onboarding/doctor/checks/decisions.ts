import { entityCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { openDecisions } from '../sql/open-decisions.js';

export const decisions = entityCheck({
  id: 'decisions',
  levels: ['warn'],
  looksAt: 'questions that `init` left in the query: comments with `decide:`',
  remedy: 'Decide, then uncomment the condition below the question, or delete both.',
  judge({ entity }) {
    const open = openDecisions(entity.query.sql);
    if (open.length === 0) return [pass('no open decisions')];
    return open.map((question) =>
      warn(
        `still to be decided: ${question}`,
        'Uncomment the condition below the question in the query, or delete both if it needs none.',
      ),
    );
  },
});
