/**
 * Refuses the words that docs/dev/glossary.md replaced: a rule for the texts and comments of TypeScript, and a processor that
 * makes ESLint read the pages. `npm run lint` runs both.
 */

/** What the program says, and what is said about it. */
const REPLACED = [
  [/\b(tell|tells|told|telling)\b/gi, 'report, notify, log, say or show'],
  [/\b(mend|mends|mended|mending)\b/gi, 'fix or correct'],
  [/\b(cure|cures|cured)\b/gi, 'hint, or "what to do"'],
  [/\bwanted\b/gi, 'desired'],
  [/\banew\b/gi, 'again'],
  [/\b(permit|permits|permitted)\b/gi, 'approve or allow'],
  [/\bheld otherwise\b/gi, 'differs at the platform'],
  [/\b(its|his|theirs|yours) (to say|say)\b/gi, 'decides'],
  [/\b(is|are|was) no [\w-]+, so\b/gi, 'a main clause with a verb'],
  [/\bthere to be\b/gi, 'a main clause with a verb'],
  [/\brefused (record|row)s?\b|\b(record|row)s? (is|are|was|were) refused\b/gi, 'rejected'],
];

const REPLACED_ON_PAGES = [...REPLACED, [/\b(stand|stands) (in|under|below)\b/gi, 'is, are']];

/** Every replaced word of a text, in its order. */
function replacedIn(text, words) {
  return words.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ index, 0: word }) => ({
      index,
      message: `"${word}" is a word that we gave up: ${instead}.`,
    })),
  );
}

/** The position of the `index`th character behind one at `line` and `column`. */
function behind({ line, column }, text, index) {
  const lines = text.slice(0, index).split('\n');
  return { line: line + lines.length - 1, column: lines.at(-1).length + (lines.length === 1 ? column : 0) };
}

/** Comments, literals, and the parts of templates between the values. */
const texts = {
  meta: { type: 'problem', schema: [] },
  create({ sourceCode, report }) {
    const check = (node) => {
      // Blanks where a line feed is written as \n: it ends a word.
      const text = sourceCode.getText(node).replace(/\\[nrt]/g, '  ');
      for (const { index, message } of replacedIn(text, REPLACED))
        report({ loc: behind(node.loc.start, text, index), message });
    };
    // One word alone is a name: a column, a state, an event.
    const checkText = (node, text) => {
      if (typeof text === 'string' && text.trim().includes(' ')) check(node);
    };
    return {
      Program: () => sourceCode.getAllComments().forEach(check),
      Literal: (node) => checkText(node, node.value),
      TemplateElement: (node) => checkText(node, node.value.cooked),
    };
  },
};

/** The page that ESLint reads at the moment. */
let page = '';

/** Pages hold no code for other rules. Their blocks of code are not prose, so they are blanked out, line by line. */
const pages = {
  preprocess(text) {
    page = text.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ' '));
    return [];
  },
  postprocess: () =>
    replacedIn(page, REPLACED_ON_PAGES).map(({ index, message }) => {
      const { line, column } = behind({ line: 1, column: 1 }, page, index);
      return { ruleId: 'plain-words/pages', severity: 2, message, line, column };
    }),
};

export default { meta: { name: 'plain-words' }, rules: { texts }, processors: { pages } };
