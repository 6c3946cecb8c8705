import { fieldKind } from '../../../schema/formats'
import type { EntityField } from '../../../schema/generated/entity'
import type { FieldKind } from '../../../schema/model'
import { OPTION_SOURCES, OPTION_WORDS } from '../../../schema/optionWords'
import { isObject, type JsonObject } from '../../../schema/overlay'
import { entryOf } from './components'

const TEXTS: readonly FieldKind[] = ['string', 'text', 'richText', 'email', 'phone', 'url', 'strings']
const NUMBERS: readonly FieldKind[] = ['integer', 'decimal', 'money', 'percent']
const LISTS: readonly FieldKind[] = ['dictionaries', 'refs', 'countries', 'files', 'strings', 'lines']
const REFERENCES: readonly FieldKind[] = ['ref', 'refs']

/** Words of a field of an entity that only some kinds of fields have. */
const OF_FIELDS: Readonly<Record<string, readonly FieldKind[]>> = {
  minLength: TEXTS,
  maxLength: TEXTS,
  pattern: TEXTS,
  minimum: NUMBERS,
  maximum: NUMBERS,
  minItems: LISTS,
  maxItems: LISTS,
  items: LISTS,
  // what a plain text becomes with them
  'x-dictionary': ['string', 'strings', 'dictionary', 'dictionaries'],
  'x-ref': ['string', 'strings', ...REFERENCES],
  'x-refFilter': REFERENCES,
  'x-refAccess': REFERENCES,
  'x-onDelete': REFERENCES,
  'x-onMerge': REFERENCES,
  'x-money': ['money'],
  'x-scale': ['decimal', 'money', 'percent'],
  'x-precision': ['date'],
  'x-unit': NUMBERS,
  'x-sequence': ['string'],
  'x-searchWhole': ['string', 'email', 'phone'],
}

/** What only a node with a value can say. */
const OF_VALUES: ReadonlySet<string> = new Set([
  ...[
    '$field',
    'required',
    'default',
    'enum',
    'format',
    'x-value',
    'x-validator',
    'x-fieldOf',
    'x-required',
    'x-options',
    'x-unit',
  ],
])
/** What a field of an entity says for all its forms. */
const OF_THE_ENTITY: ReadonlySet<string> = new Set(['type', 'enum', 'format'])

/** A word says something about a part as it is; what stands there already is always shown. */
export const isFitting = (word: string, def: string | undefined, part: JsonObject, at: string): boolean => {
  if (part[word] !== undefined) return true
  if (def === 'EntityField') return OF_FIELDS[word]?.includes(fieldKind(part as unknown as EntityField)) ?? true
  if (def === 'Options') return fitsOptions(word, part)
  return def === 'FormNode' ? fitsNode(word, part, at) : true
}

/** First where the choices come from, then what can be said about that. */
const fitsOptions = (word: string, options: JsonObject): boolean => {
  const source = OPTION_SOURCES.find((name) => options[name] !== undefined)
  const about = Object.entries(OPTION_WORDS).find(([name]) => name === word)?.[1]
  return source === undefined ? about === undefined : about?.includes(source) === true
}

const fitsNode = (word: string, node: JsonObject, at: string): boolean => {
  if (node.type === 'void') return !OF_VALUES.has(word)
  if (word === 'x-fieldOf') return /\/items\//.test(at)
  if (node.$field !== undefined) return !OF_THE_ENTITY.has(word)
  const group = entryOf(node)?.group
  if (word === 'enum' || word === 'x-options') return group === undefined || group === 'choice'
  if (word === 'format') return node.type === 'string' && (group === undefined || group === 'input')
  if (word === 'x-unit') return node.type === 'number'
  // the root of a form is no field
  return isObject(node.properties) && at === 'schema' ? !OF_VALUES.has(word) : true
}
