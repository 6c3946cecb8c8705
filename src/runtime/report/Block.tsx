import type { ReportModel } from '../../schema/model'
import { showNumber } from '../../schema/formats'
import type { Host } from '../host'
import type { Row } from '../row'
import { groupRows, type Group } from './group'
import { reportTexts } from './texts'

type BlockModel = ReportModel['blocks'][number]

interface BlockProps {
  block: BlockModel
  model: ReportModel
  rows: readonly Row[]
  scope: Readonly<Record<string, unknown>>
  host: Host
}

/** A measure as its format says: percent, money with its currency, or a number. */
const measureText = (model: ReportModel, id: string, value: string | undefined, host: Host): string => {
  const measure = model.measures.find((entry) => entry.id === id)
  if (value === undefined) return '—'
  if (measure?.format === 'percent') return `${showNumber(value, host.locale, 2)}%`
  if (measure?.format === 'money') return `${showNumber(value, host.locale, 2)}${measure.currency ? ` ${measure.currency}` : ''}`
  return showNumber(value, host.locale)
}
const dimensionText = (model: ReportModel, id: string, value: unknown): string => {
  const dimension = model.dimensions.find((entry) => entry.id === id)
  if (value === null || value === undefined || value === '') return '—'
  return dimension?.dictionary?.find((option) => option.code === value)?.label ?? String(value)
}
const titleOf = (list: readonly { id: string; title: string }[], id: string): string =>
  list.find((entry) => entry.id === id)?.title ?? id

/** Bars of the first measure; the table below holds the same for everybody who cannot see them. */
const Bars = ({ block, model, groups, host }: BlockProps & { groups: readonly Group[] }) => {
  const [measure] = block.measures
  if (measure === undefined) return null
  const values = groups.map((group) => Number(group.sums[measure] ?? 0))
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const span = most - least || 1
  const height = 24
  return (
    <svg
      className="sb-bars"
      role="img"
      aria-label={reportTexts[host.locale].chart(block.title)}
      width="100%"
      height={groups.length * height}
    >
      {groups.map((group, index) => {
        const value = values[index] ?? 0
        const label = block.dimensions.map((id, place) => dimensionText(model, id, group.keys[place])).join(' · ')
        return (
          <g key={index} transform={`translate(0 ${index * height})`}>
            <text x="0" y="16" className="sb-bar-label">
              {label.length > 18 ? `${label.slice(0, 17)}…` : label}
            </text>
            <rect
              className="sb-bar-rect"
              x={`${25 + ((Math.min(value, 0) - least) / span) * 55}%`}
              y="4"
              width={`${(Math.abs(value) / span) * 55}%`}
              height="16"
              rx="2"
            />
            <text x="100%" y="16" textAnchor="end" className="sb-bar-value">
              {measureText(model, measure, group.sums[measure], host)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

const GroupTable = ({ block, model, groups, scope, host }: BlockProps & { groups: readonly Group[] }) => (
  <div className="sb-report-scroll" tabIndex={0} role="region" aria-label={block.title}>
    <table className="sb-plain">
      <thead>
        <tr>
          {block.dimensions.map((id) => (
            <th key={id} scope="col">
              {titleOf(model.dimensions, id)}
            </th>
          ))}
          {block.measures.map((id) => (
            <th key={id} scope="col" className="sb-right">
              {titleOf(model.measures, id)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group, index) => {
          const address = block.open?.({ ...scope, row: group.row })
          return (
            <tr key={index}>
              {block.dimensions.map((id, place) => {
                const text = dimensionText(model, id, group.keys[place])
                return (
                  <td key={id}>
                    {place === 0 && address && host.canOpen(address) ? (
                      <a className="sb-link" href={address} data-sb-open="">
                        {text}
                      </a>
                    ) : (
                      text
                    )}
                  </td>
                )
              })}
              {block.measures.map((id) => (
                <td key={id} className="sb-right sb-number">
                  {measureText(model, id, group.sums[id], host)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)

/** One block of a report: figures, a chart with its table, or a table. */
export const Block = (props: BlockProps) => {
  const { block, model, rows, host } = props
  if (block.type === 'figure') {
    const [all] = groupRows(rows, [], block.measures)
    return (
      <dl className="sb-figures">
        {block.measures.map((id) => (
          <div key={id}>
            <dt>{titleOf(model.measures, id)}</dt>
            <dd>{measureText(model, id, all?.sums[id], host)}</dd>
          </div>
        ))}
      </dl>
    )
  }
  const groups = groupRows(rows, block.dimensions, block.measures)
  return (
    <>
      {block.type === 'chart' && <Bars {...props} groups={groups} />}
      <GroupTable {...props} groups={groups} />
    </>
  )
}
