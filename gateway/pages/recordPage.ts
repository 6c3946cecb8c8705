import type { EntityDocument } from '../../src/schema/generated/entity'
import type { RegisteredPage } from './routes'

const NAME = /^record:([a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*)$/

/**
 * The page `record:<entity>`: title and history of one record of whatever entity keeps one. It shows nothing by itself: the record and its
 * log are asked for with the rights of the reader, as on every detail page.
 */
export function recordPage(name: string, entityOf: (name: string) => EntityDocument | undefined): RegisteredPage | undefined {
  const entity = entityOf(NAME.exec(name)?.[1] ?? '')
  if (!entity || entity['x-audit'] === false) return undefined
  return {
    name,
    where: name,
    document: {
      formatVersion: 3,
      kind: 'detail',
      title: entity.label,
      entity: entity.name,
      sections: [],
      tabs: [],
      rest: false,
      timeline: true,
    },
  }
}
