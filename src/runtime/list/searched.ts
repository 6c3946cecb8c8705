import type { ListBodyModel } from '../../schema/model'
import type { Host } from '../host'
import { filterText } from './describe'
import type { ListQuery } from './query'
import type { ListTexts } from './texts'

/** What a list looked for, in words: the keyword and every filter. */
export const searchedText = (
  body: ListBodyModel,
  query: ListQuery,
  host: Host,
  texts: ListTexts,
  titles: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string =>
  [
    ...(query.keyword ? [`“${query.keyword}”`] : []),
    ...body.filters.flatMap((filter) => {
      const value = query.filters[filter.id]
      return value ? [`${filter.title}: ${filterText(filter, value, host, texts, titles[filter.id] ?? {})}`] : []
    }),
  ].join(texts.listSeparator)
