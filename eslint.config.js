import tseslint from 'typescript-eslint'
import reactHooks from 'eslint-plugin-react-hooks'
import { textOfText } from './scripts/lint/textOfText.mjs'

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'src/schema/generated/**', 'test-results/**', 'playwright-report/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-console': ['error', { allow: ['warn', 'error'] }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/runtime/part/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'react',
              importNames: ['lazy'],
              message: 'Use lazyPart of src/runtime/part: it says so when the chunk does not arrive.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/runtime/typing.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "BinaryExpression[right.value='Enter'], JSXAttribute[name.name='onPressEnter']",
          message: 'Use isEnter, isSend or onEnter of src/runtime/typing: Enter may end a composition of an input method.',
        },
      ],
    },
  },
  {
    files: ['gateway/modules/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { switchboard: { rules: { 'text-of-text': textOfText } } },
    rules: { 'switchboard/text-of-text': 'error' },
  },
  { files: ['scripts/**', 'bench/**', 'gateway/main.ts', 'gateway/console.ts'], rules: { 'no-console': 'off' } },
)
