import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import { isMadeOf, libraryOf, makeWhole } from '../../src/schema/feature'
import { classify } from '../../src/schema/validate/documents'

const ROOT = join(import.meta.dirname, '../../schemas')
const kindOf = (file: string) => classify(`schemas/${file.replaceAll('\\', '/')}`)
const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const library = libraryOf(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const kind = kindOf(file)
    return kind ? [{ ...kind, value: read(file) }] : []
  }),
)

/** A document of schemas/ with what it is made of, e.g. `crm/entities/share.json`. */
export function wholeSchema<T>(file: string): T {
  const document = read(file)
  const type = kindOf(file)?.type
  const made = type === 'page' || type === 'rules' ? type : 'entity'
  return (isMadeOf(document) ? makeWhole(document, library, made).document : document) as T
}

/** A document that is no file, with the features that it uses; those of `others` may be its subject. */
export function expanded<T>(document: object, others: readonly object[] = []): T {
  const among = libraryOf(others.map((value) => ({ type: 'entity', value })))
  if (!isMadeOf(document)) return document as T
  return makeWhole(document, { features: library.features, subjects: among.subjects }).document as T
}

/** Every dictionary of schemas/. */
export const allDictionaries = (): DictionaryDocument[] =>
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => kindOf(file)?.type === 'dictionary')
    .map((file) => read(file) as DictionaryDocument)
