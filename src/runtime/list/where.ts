import type { FilterModel, ListBodyModel } from '../../schema/model'
import { isCondition, leavesOf } from '../../schema/where'
import type { FilterValue, ListQuery } from '../../headless/list/query'

const PREFIX = 'where.'

type Body = Pick<ListBodyModel, 'filters' | 'further'>
type Conditions = Pick<ListQuery, 'filters' | 'where'>

/** The further conditions as filters, so that they are told and taken away like those. */
export const withFurther = (
  body: Body,
  { filters, where = [] }: Conditions,
): { filters: readonly FilterModel[]; values: ListQuery['filters'] } => {
  const named = (field: string): FilterModel | undefined =>
    body.further(field) ?? body.filters.find(({ path }) => path.join('.') === field)
  const further = where.flatMap((term, index): { filter: FilterModel; value: FilterValue }[] => {
    const id = `${PREFIX}${index}`
    const [filter, ...others] = [...new Set(leavesOf([term]).map(({ field }) => field))].flatMap((field) => named(field) ?? [])
    if (!filter) return []
    if (isCondition(term)) return [{ filter: { ...filter, id }, value: term }]
    const title = [filter, ...others].map((one) => one.title).join(' / ')
    return [{ filter: { ...filter, id, title }, value: { operator: 'notEmpty', grouped: true } }]
  })
  return {
    filters: [...body.filters, ...further.map(({ filter }) => filter)],
    values: { ...filters, ...Object.fromEntries(further.map(({ filter, value }) => [filter.id, value])) },
  }
}

/** The query without the further condition that `withFurther` told under this id; undefined when it is a filter's id. */
export const withoutFurther = ({ where = [] }: Conditions, id: string): Pick<ListQuery, 'where'> | undefined => {
  if (!id.startsWith(PREFIX)) return undefined
  const rest = where.filter((_, index) => `${PREFIX}${index}` !== id)
  return { where: rest.length > 0 ? rest : undefined }
}
