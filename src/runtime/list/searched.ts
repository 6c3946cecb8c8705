import type { ListBodyModel } from '../../schema/model'
import type { Host } from '../../headless/host'
import { filterText } from '../../headless/list/describe'
import type { ListQuery } from '../../headless/list/query'
import type { ListTexts } from '../../headless/list/texts'
import { withFurther } from './where'

/** What a list looked for, in words: the keyword and every filter. */
export const searchedText = (
  body: ListBodyModel,
  query: ListQuery,
  host: Host,
  texts: ListTexts,
  titles: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string => {
  const { filters, values } = withFurther(body, query)
  return [
    ...(query.keyword ? [`“${query.keyword}”`] : []),
    ...filters.flatMap((filter) => {
      const value = values[filter.id]
      return value ? [`${filter.title}: ${filterText(filter, value, host, texts, titles[filter.id] ?? {})}`] : []
    }),
  ].join(texts.listSeparator)
}
