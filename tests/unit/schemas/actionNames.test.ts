import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Label {
  zh: string
  en: string
}
type Found = Map<string, Map<string, string[]>>

const documents = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && !file.startsWith('meta'))
    .map((file) => join(folder, file))

const isLabel = (value: unknown): value is Label => typeof value === 'object' && value !== null && 'zh' in value && 'en' in value

/** Every place that names something that a person does or chooses, and every state. */
const NAMING = new Set(['actions', 'rowActions', 'bulkActions', 'transitions', 'menus', 'menu'])
const found: Found = new Map()
const states: Found = new Map()
const dictionaries = new Map<string, { items: { label: Label }[] }>()
const stateDictionaries = new Set<string>()

const keep = (into: Found, { zh, en }: Label, where: string): void => {
  const names = into.get(zh) ?? new Map<string, string[]>()
  into.set(zh, names.set(en, [...(names.get(en) ?? []), where]))
}

const walk = (value: unknown, where: string, path: readonly string[] = []): void => {
  if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, where, [...path, String(index)])
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) {
      const isNamed = path.slice(-3).some((step) => NAMING.has(step))
      if ((name === 'label' || name === 'title') && isNamed && isLabel(one)) keep(found, one, where)
      walk(one, where, [...path, name])
    }
}

for (const file of documents('schemas')) {
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    name?: string
    items?: { label: Label }[]
    properties?: Record<string, { 'x-dictionary'?: string }>
    'x-states'?: { field: string }[]
  }
  walk(document, file)
  if (document.items && document.name) dictionaries.set(document.name, { items: document.items })
  for (const { field } of document['x-states'] ?? []) {
    const dictionary = document.properties?.[field]?.['x-dictionary']
    if (dictionary) stateDictionaries.add(dictionary)
  }
}
for (const name of stateDictionaries)
  for (const { label } of dictionaries.get(name)?.items ?? []) keep(states, label, name)

/** What one word says in Chinese and two in English: probation of a person, trial of a product. */
const TWO = new Set(['试用'])

const doubles = (names: Found): string[] =>
  [...names]
    .filter(([zh, english]) => english.size > 1 && !TWO.has(zh))
    .map(([zh, english]) => `${zh}: ${[...english].map(([en, where]) => `${en} (${where[0]})`).join(' | ')}`)

describe('names of actions, states and menus', () => {
  it('are the same in English wherever they are the same in Chinese', () => {
    expect(found.size).toBeGreaterThan(500)
    expect(states.size).toBeGreaterThan(200)
    expect(doubles(found)).toEqual([])
    expect(doubles(states)).toEqual([])
  })
})
