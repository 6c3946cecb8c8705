import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

interface Text {
  where: string
  zh: string
  en: string
}

const root = join(import.meta.dirname, '../../..')
const filesOf = (folder: string, endings: readonly string[]): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .map((name) => join(folder, name))

/** Texts of the schemas: every object that has a `zh` or an `en`. */
const textsIn = (value: unknown, where: string): Text[] => {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const { zh, en } = value as { zh?: unknown; en?: unknown }
  const own = typeof zh === 'string' || typeof en === 'string' ? [{ where, zh: String(zh ?? ''), en: String(en ?? '') }] : []
  return [...own, ...entries.flatMap(([, inner]) => textsIn(inner, where))]
}
const schemaTexts = filesOf('schemas', ['.json'])
  .filter((file) => !file.startsWith('schemas/meta/'))
  .flatMap((file) => textsIn(JSON.parse(readFileSync(join(root, file), 'utf8')), file))

/** What a text of the code says, with an ellipsis for each value that it puts in; what it says otherwise is a sentence of its own. */
const said = (node: ts.Expression): string => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return said(node.body)
  if (ts.isConditionalExpression(node)) return `${said(node.whenTrue)}. ${said(node.whenFalse)}`
  return '…'
}
const codeTexts = ['src', 'gateway']
  .flatMap((folder) => filesOf(folder, ['.ts', '.tsx']))
  .filter((file) => !file.includes('/generated/') && !/^gateway\/(?:modules\/[^/]+\/)?demo\//.test(file))
  .flatMap((file) => {
    const found: Text[] = []
    const visit = (node: ts.Node): void => {
      // a table of texts in one language may have its own entries called zh and en
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && /^(zh|en)$/.test(node.name.text)) return
      if (ts.isObjectLiteralExpression(node)) {
        const texts = new Map<string, string>()
        for (const property of node.properties)
          if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.name))
            texts.set(property.name.text, said(property.initializer))
        if (texts.has('zh') && texts.has('en')) found.push({ where: file, zh: texts.get('zh') ?? '', en: texts.get('en') ?? '' })
      }
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true))
    return found
  })
const texts = [...schemaTexts, ...codeTexts]

/** English texts that stand in a table of their own: `const en = { … }`, `en: { … }`. */
const tabled = (file: string): { where: string; en: string }[] => {
  const found: { where: string; en: string }[] = []
  const collect = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) found.push({ where: file, en: said(node.initializer) })
    ts.forEachChild(node, collect)
  }
  const visit = (node: ts.Node): void => {
    const named = (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.name.getText(source) === 'en'
    // a text in both languages may be that of the word en
    const isText = (object: ts.ObjectLiteralExpression): boolean =>
      object.properties.some((one) => one.name?.getText(source) === 'zh')
    if (named && node.initializer && ts.isObjectLiteralExpression(node.initializer) && !isText(node.initializer))
      collect(node.initializer)
    else ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  visit(source)
  return found
}
const english = [...texts, ...filesOf('src', ['.ts', '.tsx']).flatMap(tabled)]

/** Characters that only Chinese writing has, full-width signs among them. */
const CHINESE = /[\u3001-\u303f\u3400-\u9fff\uff00-\uffef]/
/** A language is called by its own name wherever it can be chosen. */
const OWN_NAME = '中文'
/** The examples of the formats, and of the sheet of form fields, show how values of both languages look. */
const EXAMPLES = /^(?:src\/schema\/formats\/kinds\/|gateway\/workflow\/forms\/sheet\.ts)/

const NAMES = new Set(
  'Buka English Chinese China Vietnam Hong Kong WhatsApp Skype Telegram WeChat Teams Facebook Kingdee DingTalk Feishu GoIP São Paulo New York Los Angeles Monday Sunday Excel Marketplace Switchboard PostgreSQL Ctrl Alt Delete Cmd Enter Esc Tab Shift Space Claimable Acceptable Level Wang Liu'.split(
    ' ',
  ),
)
/** Words in capitals behind the first one of a sentence that are no names. */
const capitals = (text: string): string[] =>
  text
    .split(/(?<=[.:!?·…])\s+|["“(]|\s\/\s/)
    .flatMap((sentence) => sentence.trim().split(/\s+/).slice(1))
    .map((word) => word.replace(/[^\p{L}-]/gu, ''))
    .filter((word) => /^\p{Lu}\p{Ll}/u.test(word) && !NAMES.has(word))

/** Weekdays, and a tab that is called by its name. */
const KEPT = [/^Sun Mon/, /Shared with me$/]
/** Zones are called by places. */
const PLACES = /dictionaries[\\/]timeZone/

describe('the texts that people read', () => {
  it('are found: schemas and code have thousands of them', () => {
    expect(schemaTexts.length).toBeGreaterThan(1500)
    expect(codeTexts.length).toBeGreaterThan(100)
    expect(english.length - texts.length).toBeGreaterThan(400)
  })

  it('exist in both languages', () => {
    expect(texts.filter(({ zh, en }) => (zh.trim() === '') !== (en.trim() === ''))).toEqual([])
  })

  it('have no Chinese signs in English', () => {
    expect(english.filter(({ en, where }) => CHINESE.test(en) && en !== OWN_NAME && !EXAMPLES.test(where))).toEqual([])
  })

  it('are Chinese where they should be: a Chinese text longer than an abbreviation or name has Chinese signs', () => {
    const latin = ({ zh }: Text): boolean =>
      !CHINESE.test(zh) && /\p{L}{2}.*\s+.*\p{L}{2}/u.test(zh.replaceAll(/\{\{.*?\}\}/g, ''))
    expect(texts.filter(latin)).toEqual([])
  })

  it('are written in sentence case in English: a capital starts a sentence or a name', () => {
    const titled = english
      .filter(({ en, where }) => !KEPT.some((kept) => kept.test(en)) && !PLACES.test(where))
      .map(({ where, en }) => ({ where, en, words: capitals(en.replaceAll(/\{\{.*?\}\}/g, '…')) }))
    expect(titled.filter(({ words }) => words.length > 0)).toEqual([])
  })
})
