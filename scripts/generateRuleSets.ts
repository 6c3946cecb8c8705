import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, type JSONSchema, type Options } from 'json-schema-to-typescript'
import { paramsSchema, withChoices } from '../gateway/rules/paramsSchema'
import type { DictionaryDocument } from '../src/schema/generated/dictionary'
import type { FormPage } from '../src/schema/generated/page'
import type { RuleSetDocument } from '../src/schema/generated/rules'

const pascal = (name: string): string => name.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The rule sets of all modules as code, with a type of the parameters of each: from its form, and from its defaults what is never empty. `read`: a document with its features. */
export async function generateRuleSets(
  schemasDir: string,
  read: (type: 'page' | 'rules', file: string) => unknown,
  options: Partial<Options>,
): Promise<string> {
  const folders = ['dictionaries', ...readdirSync(schemasDir).map((module) => join(module, 'dictionaries'))]
  const dictionary = (name: string): DictionaryDocument | undefined => {
    const file = folders.map((folder) => join(schemasDir, folder, `${name}.json`)).find((path) => existsSync(path))
    return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as DictionaryDocument)
  }
  const files = readdirSync(schemasDir)
    .filter((module) => existsSync(join(schemasDir, module, 'rules')))
    .flatMap((module) => readdirSync(join(schemasDir, module, 'rules')).map((file) => `${module}/rules/${file}`))
    .sort()
  const sets = files.map((file) => ({ file, set: read('rules', join(schemasDir, file)) as RuleSetDocument }))
  const types = await Promise.all(
    sets.map(async ({ set: { key, page, defaults } }) => {
      const { title, schema } = read('page', join(schemasDir, `${page.replace('/', '/pages/')}.json`)) as FormPage
      const typed = { ...given(paramsSchema(withChoices(schema, dictionary)) as Schema, defaults), description: title.en }
      return (await compile(typed as JSONSchema, pascal(key), { ...options, bannerComment: '' })).trim()
    }),
  )
  return [
    options.bannerComment,
    `import type { RuleSetDocument } from './rules'\n`,
    ...types,
    `/** The parameters of every rule set by its key. */\nexport interface RuleTypes {\n${sets.map(({ set }) => `  '${set.key}': ${pascal(set.key)}`).join('\n')}\n}\n`,
    `/** Every rule set. */\nexport const RULE_SETS: readonly RuleSetDocument[] = ${JSON.stringify(
      sets.map(({ set }) => set),
      null,
      2,
    )}\n`,
  ].join('\n')
}

type Schema = Readonly<Record<string, unknown>>

/** A parameter that has a default is there, and is empty only if the default is. Codes in a list are not told apart. */
function given(schema: Schema, value: unknown): Schema {
  const { type, enum: choices, items, properties, ...rest } = schema
  if (properties) {
    const values = (value ?? {}) as Schema
    const inner = Object.entries(properties).map(([name, child]) => [name, given(child as Schema, values[name])])
    return {
      ...rest,
      type,
      properties: Object.fromEntries(inner),
      required: [...Object.keys(values), ...((rest.required as string[] | undefined) ?? [])],
    }
  }
  if (items) {
    const { enum: codes } = items as { enum?: readonly unknown[] }
    return { type, items: codes ? { type: typeof codes[0] } : given(items as Schema, undefined) }
  }
  const filled = value !== null && value !== undefined
  if (Array.isArray(choices)) return { enum: filled ? choices.filter((choice) => choice !== null) : choices }
  return { type: filled && Array.isArray(type) ? type[0] : type }
}
