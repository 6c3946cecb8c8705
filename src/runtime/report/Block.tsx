import '../plainTable.css'
import { Suspense, useState, type ReactNode } from 'react'
import type { ReportModel } from '../../schema/model'
import { lazyPart } from '../part/lazyPart'
import { Skeleton } from '../state'
import { Figure, Led } from './Figure'
import { isTime, type Group } from '../../headless/report/group'
import { Pivot } from './Pivot'
import type { Shown } from '../../headless/report/shown'
import { reportTexts } from '../../headless/report/texts'

const Chart = lazyPart(() => import('./charts/Charts'))

/** Fetches what charts are drawn with while their numbers are asked for. */
export const fetchCharts = (): void => void Chart.fetch()

type BlockModel = ReportModel['blocks'][number]

interface BlockProps {
  block: BlockModel
  model: ReportModel
  groups: readonly Group[]
  totals?: Group
  shown: Shown
}

const GroupTable = ({ block, model, groups, totals, shown }: BlockProps) => (
  <div className="sb-report-scroll" tabIndex={0} role="region" aria-label={block.title}>
    <table className="sb-plain">
      <thead>
        <tr>
          {block.dimensions.map((id) => (
            <th key={id} scope="col">
              {shown.title(id)}
            </th>
          ))}
          {block.measures.map((id) => (
            <th key={id} scope="col" className="sb-right">
              {shown.title(id)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group, index) => (
          <tr key={index}>
            {block.dimensions.map((id, index) => (
              <td key={id}>
                <Led address={index === 0 ? shown.address(block.open, group) : null}>{shown.dimension(id, group, index)}</Led>
              </td>
            ))}
            {block.measures.map((id) => (
              <td key={id} className="sb-right sb-number">
                <Figure id={id} group={group} shown={shown} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {totals && (
        <tfoot>
          <tr>
            <th scope="row" colSpan={Math.max(1, block.dimensions.length)}>
              {reportTexts[model.locale].total}
            </th>
            {block.measures.map((id) => (
              <td key={id} className="sb-right sb-number">
                <Figure id={id} group={totals} shown={shown} />
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  </div>
)

/** Bars of names stand by size: names have no order of their own, as times and dictionaries have. */
const ordered = (block: BlockModel, model: ReportModel, groups: readonly Group[], shown: Shown): readonly Group[] => {
  const [name, ...others] = block.dimensions
  const [measure] = block.measures
  const dictionary = model.dimensions.find(({ id }) => id === name)?.dictionary
  if (block.type !== 'chart' || block.chart !== 'bar' || !measure || others.length > 0 || dictionary) return groups
  if (groups.some(({ keys }) => isTime(keys[0]))) return groups
  return [...groups].sort((a, b) => (shown.amount(measure, b) ?? 0) - (shown.amount(measure, a) ?? 0))
}

/** Pieces and steps show one measure of several: the table says what the chart does not. */
const tellsMore = ({ chart, dimensions, measures }: BlockModel): boolean =>
  (chart === 'pie' || chart === 'funnel') && dimensions.length > 0 && measures.length > 1

/** What is made only once somebody unfolds it: a table of a year may have thousands of rows. */
const Folded = ({ title, told, children }: { title: string; told: boolean; children: ReactNode }) => {
  const [open, setOpen] = useState(told)
  return (
    <details className="sb-chart-data" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {open && children}
    </details>
  )
}

/** One block of a report: figures, a chart with its table folded under it, or a table. Every number may lead to the rows behind it. */
export const Block = (props: BlockProps) => {
  const { block, model, shown } = props
  const texts = reportTexts[model.locale]
  const [first] = props.groups
  if (!first) return <p className="sb-report-empty">{block.empty ?? texts.nothing}</p>
  if (block.type === 'figure') {
    return (
      <dl className="sb-figures">
        {block.measures.map((id) => (
          <div key={id}>
            <dt>{shown.title(id)}</dt>
            <dd>
              <Figure id={id} group={first} shown={shown} />
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  const groups = ordered(block, model, props.groups, shown)
  const across = (block.type === 'pivot' || block.chart === 'heat') && block.dimensions.length > 1
  const table = across ? <Pivot {...props} /> : <GroupTable {...props} groups={groups} />
  if (block.type !== 'chart') return table
  return (
    <>
      <Suspense fallback={<Skeleton rows={4} columns={1} rowHeight={48} label={texts.loading} />}>
        <Chart block={block} model={model} groups={groups} shown={shown} label={texts.chart(block.title)} />
      </Suspense>
      <Folded title={texts.data} told={tellsMore(block)}>
        {table}
      </Folded>
    </>
  )
}
