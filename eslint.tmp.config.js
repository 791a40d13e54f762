import tseslint from 'typescript-eslint';
import plainWords from './.eslint/plain-words.js';

export default tseslint.config(
  // The examples are a partner's: test/adapters compiles them against the types of the package.
  { ignores: ['dist', 'node_modules', 'coverage', 'config/adapters'] },
  ...tseslint.configs.recommendedTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', '.eslint/*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Doing nothing is what a listener that is not needed does.
      '@typescript-eslint/no-empty-function': 'off',
      // Ports are closures, not classes: their methods have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  // The command line is the one place that speaks to a person.
  { files: ['src/cli/**', 'docs/**', 'bench/**'], rules: { 'no-console': 'off' } },
  { plugins: { 'plain-words': plainWords } },
  { files: ['src/**/*.ts', 'migrations/**/*.ts'], rules: { 'plain-words/texts': 'error' } },
  { files: ['**/*.md'], ignores: ['CHANGELOG.md'], processor: 'plain-words/pages' },
  { files: ['eslint.config.js', '.eslint/*.js'], ...tseslint.configs.disableTypeChecked },
);
