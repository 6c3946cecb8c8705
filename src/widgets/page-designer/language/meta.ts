import { longForm } from '../../../schema/shorthand'
import { isKeyedName, isObject, isOrderedMap, splitAddress } from '../../../schema/overlay'
import dictionaryMeta from '../../../../schemas/meta/dictionary.json'
import entityMeta from '../../../../schemas/meta/entity.json'
import moduleMeta from '../../../../schemas/meta/module.json'
import writtenPageMeta from '../../../../schemas/meta/page.json'
import processMeta from '../../../../schemas/meta/process.json'
import templateMeta from '../../../../schemas/meta/template.json'
import type { TargetKind } from '../types'

/** Documents in the designer are written out. */
const pageMeta = longForm(writtenPageMeta)

/** The part of JSON Schema that the meta-schemas of the language use. */
export interface Meta {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  const?: unknown
  enum?: readonly (string | number | boolean | null)[]
  properties?: Readonly<Record<string, Meta>>
  required?: readonly string[]
  items?: Meta
  additionalProperties?: boolean | Meta
  anyOf?: readonly Meta[]
  oneOf?: readonly Meta[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}
interface MetaFile extends Meta {
  $defs?: Readonly<Record<string, Meta>>
}

/** A part of the language with its reference followed: `def` is the name of what it refers to. */
export interface Word extends Meta {
  def?: string
}

/** Approval processes are documents as well, with a designer of their own. */
export type LanguageKind = TargetKind | 'process'

const FILES: Readonly<Record<LanguageKind, MetaFile>> = {
  page: pageMeta as unknown as MetaFile,
  // the actions of an entity are those of pages
  entity: { ...entityMeta, $defs: { ...pageMeta.$defs, ...entityMeta.$defs } } as unknown as MetaFile,
  dictionary: dictionaryMeta as unknown as MetaFile,
  module: moduleMeta as unknown as MetaFile,
  template: templateMeta as unknown as MetaFile,
  // its fields and effects are those of entities
  process: { ...processMeta, $defs: { ...entityMeta.$defs, ...processMeta.$defs } } as unknown as MetaFile,
}

const DEF = '#/$defs/'

/** The language of one document as the designer needs it: which words a place knows, and what each may hold. */
export class Language {
  private readonly file: MetaFile
  /** What was resolved before stays the same object, so that what shows it need not be drawn anew. */
  private readonly resolved = new WeakMap<Meta, Word>()
  private readonly inner = new WeakMap<Word, readonly [string, Word][]>()
  private readonly holding = new WeakMap<Word, boolean>()
  readonly root: Word

  constructor(
    readonly kind: LanguageKind,
    document: unknown,
  ) {
    this.file = FILES[kind]
    const pageKind = isObject(document) ? document.kind : undefined
    const variants = (this.file.oneOf ?? []).map((variant) => this.resolve(variant))
    this.root = variants.find(({ properties }) => properties?.kind?.const === pageKind) ?? this.resolve(this.file)
  }

  resolve(meta: Meta): Word {
    const known = this.resolved.get(meta)
    if (known) return known
    const word = this.follow(meta)
    this.resolved.set(meta, word)
    return word
  }

  private follow(meta: Meta): Word {
    const path = meta.$ref?.split(DEF)[1]
    if (path === undefined) return meta
    const [def, ...within] = path.split('/')
    const whole = def === undefined ? undefined : this.file.$defs?.[def]
    // a word of a definition, e.g. that of an entity's field
    const target = within.length === 0 ? whole : whole?.properties?.[within[1] ?? '']
    if (!target) return meta
    if (within.length > 0) return this.resolve(target)
    const inner = this.resolve(target)
    // What a text in two languages is needs no word at each of them.
    const description = meta.description ?? (def === 'Text' || def === 'Id' ? '' : inner.description)
    return { ...inner, def: inner.def ?? def, ...(description === undefined ? {} : { description }) }
  }

  /** A part of the language by its name. */
  definition(name: string): Word {
    return this.resolve({ $ref: `${DEF}${name}` })
  }

  /** What may stand at an address; undefined for what the language does not know. */
  at(address: string): Word | undefined {
    let word: Word | undefined = this.root
    for (const step of splitAddress(address)) word = word && this.below(word, step)
    return word
  }

  private below(word: Word, step: string): Word | undefined {
    const known = word.properties && Object.hasOwn(word.properties, step) ? word.properties[step] : undefined
    if (known) return this.resolve(known)
    if (word.items) return this.resolve(word.items)
    for (const kind of word.oneOf ?? []) {
      const found = this.below(this.resolve(kind), step)
      if (found) return found
    }
    return typeof word.additionalProperties === 'object' ? this.resolve(word.additionalProperties) : undefined
  }

  /** The words of an object, in the order of the language. */
  words(word: Word): readonly [string, Word][] {
    const known = this.inner.get(word)
    if (known) return known
    const words = Object.entries(word.properties ?? {}).map(([name, meta]): [string, Word] => [name, this.resolve(meta)])
    this.inner.set(word, words)
    return words
  }

  /** Lists whose items are known by ids, and objects whose order of keys people see. */
  isItems(name: string, word: Word): boolean {
    if (isOrderedMap(name)) return typeof word.additionalProperties === 'object'
    // lists of plain names bear the names of such lists elsewhere: the fields of a transition, the measures of a chart
    return isKeyedName(name) && word.type === 'array' && word.items !== undefined && this.resolve(word.items).type === 'object'
  }

  /** The object holds items, itself or further below: it is a place of the outline, not of a panel. */
  holdsItems(word: Word): boolean {
    const known = this.holding.get(word)
    if (known !== undefined) return known
    const holds = this.holdsItemsBelow(word, new Set())
    this.holding.set(word, holds)
    return holds
  }

  private holdsItemsBelow(word: Word, seen: ReadonlySet<string>): boolean {
    if (word.def !== undefined && seen.has(word.def)) return false
    const further = word.def === undefined ? seen : new Set([...seen, word.def])
    return this.words(word).some(
      ([name, inner]) => this.isItems(name, inner) || (inner.type === 'object' && this.holdsItemsBelow(inner, further)),
    )
  }
}
