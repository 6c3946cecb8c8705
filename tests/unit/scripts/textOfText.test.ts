import { Linter } from 'eslint'
import ts from 'typescript'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import { textOfText } from '../../../scripts/lint/textOfText.mjs'

const FILE = 'record.ts'

/** Lints an expression over a record, whose fields are typed as those of entities are. */
function lint(expression: string) {
  const text = [
    'declare function String(value?: unknown): string',
    'declare const record: { code: string; remark: string | null; sum?: string; count: number; tries: number | null }',
    'declare const loose: Record<string, unknown>',
    `export const made = ${expression}\n`,
  ].join('\n')
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.ES2022, true)
  const host = { ...ts.createCompilerHost({}), getSourceFile: (name: string) => (name === FILE ? source : undefined) }
  const program = ts.createProgram([FILE], { strict: true, noLib: true, types: [] }, host)
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser, parserOptions: { programs: [program] } },
    plugins: { own: { rules: { 'text-of-text': textOfText } } },
    rules: { 'own/text-of-text': 'error' as const },
  }
  const messages = new Linter({ configType: 'flat' }).verify(text, config, { filename: FILE })
  const fix = messages[0]?.fix
  const fixed = fix ? text.slice(0, fix.range[0]) + fix.text + text.slice(fix.range[1]) : text
  return {
    found: messages.map(({ messageId, message }) => messageId ?? message),
    fixed: fixed.trim().split('export const made = ')[1],
  }
}

describe('String of what is a text already', () => {
  it('is refused and left out', () => {
    expect(lint('String(record.code)')).toEqual({ found: ['text'], fixed: 'record.code' })
    expect(lint("String(record.remark ?? '').length")).toEqual({ found: ['text'], fixed: "(record.remark ?? '').length" })
  })

  it('is refused where the value is empty at times, and somebody has to say what that means', () => {
    for (const field of ['remark', 'sum', 'tries'])
      expect(lint(`String(record.${field})`)).toEqual({ found: ['empty'], fixed: `String(record.${field})` })
  })

  it('is taken of numbers and of what nobody knows', () => {
    for (const value of ['record.count', 'loose.code']) expect(lint(`String(${value})`).found).toEqual([])
  })
})
