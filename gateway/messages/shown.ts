import type { EntityEngine, EntityRecord, EntityService } from '../entities'
import type { Text } from '../platform/http'

/** What somebody was told, in his language: word for word, or as it is said to whoever may not read the names in it. */
export const saidService = (engine: EntityEngine, entity: 'sys.message' | 'sys.todo'): EntityService => ({
  computeFields: (records, { context }) => {
    const { locale } = context
    const clear = engine.readable(context, `${entity}.titleZh`)
    const [title, text] = locale === 'en' ? (['titleEn', 'textEn'] as const) : (['titleZh', 'textZh'] as const)
    for (const record of records) {
      const plain = record.plain as { title: Text; text?: Text } | null | undefined
      record.title = clear ? record[title] : (plain?.title[locale] ?? matterOf(engine, record, locale))
      if (entity === 'sys.message') record.text = clear ? record[text] : (plain?.text?.[locale] ?? null)
    }
  },
})

/** What kind of matter it is, for want of a sentence without names. */
function matterOf(engine: EntityEngine, { kind, subjectEntity }: EntityRecord, locale: 'zh' | 'en'): string {
  const matter = engine.dictionaryLabel('todoKind', String(kind))[locale]
  const about =
    typeof subjectEntity === 'string' && engine.names().includes(subjectEntity) ? engine.model(subjectEntity).label[locale] : ''
  return about === '' || about === matter ? matter : `${matter} · ${about}`
}
