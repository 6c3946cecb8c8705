import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withNamedActions } from '../../src/schema/defaults'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../src/schema/generated/entity'
import type { PageDocument } from '../../src/schema/generated/page'
import { isMadeOf, libraryOf, makeWhole } from '../../src/schema/feature'
import { writtenOut } from '../../src/schema/shorthand'
import { classify } from '../../src/schema/validate/documents'

const ROOT = join(import.meta.dirname, '../../schemas')
const kindOf = (file: string) => classify(`schemas/${file.replaceAll('\\', '/')}`)
const read = (file: string): unknown => writtenOut(kindOf(file)?.type ?? '', JSON.parse(readFileSync(join(ROOT, file), 'utf8')))
const library = libraryOf(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const kind = kindOf(file)
    return kind ? [{ ...kind, value: read(file) }] : []
  }),
)

/** A document of schemas/ with what it is made of and what its actions leave to their entity, e.g. `crm/entities/share.json`. */
export function wholeSchema<T>(file: string): T {
  const document = read(file)
  const type = kindOf(file)?.type
  const made = type === 'page' || type === 'rules' ? type : 'entity'
  const whole = isMadeOf(document) ? makeWhole(document, library, made).document : document
  if (type !== 'page') return whole as T
  site ??= {
    entities: new Map([...library.subjects].map(([name, value]) => [name, expanded<EntityDocument>(value as object)])),
    pages: library.pages as ReadonlyMap<string, PageDocument>,
  }
  return withNamedActions(whole as PageDocument, site) as T
}
let site: Parameters<typeof withNamedActions>[1] | undefined

/** A document that is no file, with the features that it uses; those of `others` may be its subject. */
export function expanded<T>(document: object, others: readonly object[] = []): T {
  const among = libraryOf(others.map((value) => ({ type: 'entity', value })))
  if (!isMadeOf(document)) return document as T
  return makeWhole(document, { features: library.features, subjects: new Map([...library.subjects, ...among.subjects]) })
    .document as T
}

/** Every dictionary of schemas/. */
export const allDictionaries = (): DictionaryDocument[] =>
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => kindOf(file)?.type === 'dictionary')
    .map((file) => read(file) as DictionaryDocument)
