import sanitize from 'sanitize-html'
import type { EntityModel } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'

const OPTIONS: sanitize.IOptions = {
  allowedTags: [
    'p',
    'br',
    'h1',
    'h2',
    'h3',
    'h4',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'ul',
    'ol',
    'li',
    'blockquote',
    'code',
    'pre',
    'a',
    'hr',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: { a: ['href', 'title', 'rel'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
}

/** HTML with nothing in it but words, lists, tables and links: no scripts, handlers, styles, images or frames. */
export function cleanRichText(html: string): string {
  return sanitize(html, OPTIONS)
}

const fieldsOf = new WeakMap<EntityModel, readonly string[]>()

/** The records with their rich texts cleaned, whoever writes them: saves, services, effects, imports, the demo world. */
export function withCleanTexts(model: EntityModel, records: readonly EntityRecord[]): readonly EntityRecord[] {
  const known = fieldsOf.get(model)
  const names = known ?? model.columns.flatMap(({ name, kind }) => (kind === 'richText' ? [name] : []))
  if (!known) fieldsOf.set(model, names)
  if (names.length === 0) return records
  return records.map((record) => {
    const texts = names.flatMap((name) => {
      const value = record[name]
      return typeof value === 'string' ? [[name, cleanRichText(value)] as const] : []
    })
    return texts.length === 0 ? record : { ...record, ...Object.fromEntries(texts) }
  })
}
