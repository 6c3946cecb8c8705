import type { ReportModel } from '../../schema/model'
import { Figure } from './Figure'
import type { Group } from '../../headless/report/group'
import type { Shown } from '../../headless/report/shown'

interface PivotProps {
  block: ReportModel['blocks'][number]
  model: ReportModel
  groups: readonly Group[]
  shown: Shown
}

const idOf = (values: readonly unknown[]): string => JSON.stringify(values)

/** The values of the last dimension side by side, those of the others below each other. */
export const Pivot = ({ block, model, groups, shown }: PivotProps) => {
  const last = block.dimensions.length - 1
  const lastId = block.dimensions[last] ?? ''
  // the same hour of another day is the same column
  const byHour = model.dimensions.find(({ id }) => id === lastId)?.format === 'hour'
  const columns = new Map<string, Group>()
  const rows = new Map<string, { first: Group; cells: Map<string, Group> }>()
  for (const group of groups) {
    const column = byHour ? shown.dimension(lastId, group, last) : idOf(group.keys.slice(last))
    const row = idOf(group.keys.slice(0, last))
    if (!columns.has(column)) columns.set(column, group)
    const known = rows.get(row) ?? { first: group, cells: new Map<string, Group>() }
    known.cells.set(column, group)
    rows.set(row, known)
  }
  const options = model.dimensions.find(({ id }) => id === lastId)?.dictionary ?? []
  const rankOf = ({ keys }: Group): number => {
    const index = options.findIndex(({ code }) => code === keys[last])
    return index < 0 ? options.length : index
  }
  const across = [...columns].sort(([one, first], [other, second]) =>
    byHour ? one.localeCompare(other) : rankOf(first) - rankOf(second),
  )
  const several = block.measures.length > 1
  return (
    <div className="sb-report-scroll" tabIndex={0} role="region" aria-label={block.title}>
      <table className="sb-plain">
        <thead>
          <tr>
            {block.dimensions.slice(0, last).map((id) => (
              <th key={id} scope="col" rowSpan={several ? 2 : 1}>
                {shown.title(id)}
              </th>
            ))}
            {across.map(([id, group]) => (
              <th key={id} scope="colgroup" className="sb-right" colSpan={block.measures.length}>
                {shown.dimension(lastId, group, last)}
              </th>
            ))}
          </tr>
          {several && (
            <tr>
              {across.flatMap(([column]) =>
                block.measures.map((id) => (
                  <th key={`${column} ${id}`} scope="col" className="sb-right">
                    {shown.title(id)}
                  </th>
                )),
              )}
            </tr>
          )}
        </thead>
        <tbody>
          {[...rows].map(([row, { first, cells }]) => (
            <tr key={row}>
              {block.dimensions.slice(0, last).map((id, index) => (
                <th key={id} scope="row">
                  {shown.dimension(id, first, index)}
                </th>
              ))}
              {across.flatMap(([column]) => {
                const group = cells.get(column)
                return block.measures.map((id) => (
                  <td key={`${column} ${id}`} className="sb-right sb-number">
                    {group ? <Figure id={id} group={group} shown={shown} /> : '—'}
                  </td>
                ))
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
