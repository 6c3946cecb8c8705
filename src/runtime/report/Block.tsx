import '../plainTable.css'
import { Suspense, type ReactNode } from 'react'
import type { ReportModel } from '../../schema/model'
import type { Row } from '../row'
import { groupRows, type Group } from './group'
import type { Shown } from './shown'
import { reportTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

const Chart = lazyPart(() => import('./charts/Charts'))

type BlockModel = ReportModel['blocks'][number]

interface BlockProps {
  block: BlockModel
  model: ReportModel
  rows: readonly Row[]
  shown: Shown
}

const Led = ({ address, children }: { address: string | null; children: ReactNode }) =>
  address === null ? (
    children
  ) : (
    <a className="sb-link" href={address} data-sb-open="">
      {children}
    </a>
  )

const GroupTable = ({ block, groups, shown }: BlockProps & { groups: readonly Group[] }) => (
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
            {block.dimensions.map((id, place) => (
              <td key={id}>
                <Led address={place === 0 ? shown.address(block.open, group) : null}>
                  {shown.dimension(id, group.keys[place])}
                </Led>
              </td>
            ))}
            {block.measures.map((id) => (
              <td key={id} className="sb-right sb-number">
                <Led address={shown.measureAddress(id, group)}>{shown.measure(id, group)}</Led>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}(-|$)/.test(value)

/** Bars of names stand by size: names have no order of their own, as times and dictionaries have. */
const ordered = (block: BlockModel, model: ReportModel, groups: readonly Group[], shown: Shown): readonly Group[] => {
  const [name, ...others] = block.dimensions
  const [measure] = block.measures
  const dictionary = model.dimensions.find(({ id }) => id === name)?.dictionary
  if (block.type !== 'chart' || block.chart !== 'bar' || !measure || others.length > 0 || dictionary) return groups
  if (groups.some(({ keys }) => isTime(keys[0]))) return groups
  return [...groups].sort((a, b) => shown.amount(measure, b) - shown.amount(measure, a))
}

/** One block of a report: figures, a chart with its table, or a table. Every number may lead to the rows behind it. */
export const Block = (props: BlockProps) => {
  const { block, model, rows, shown } = props
  const texts = reportTexts[model.locale]
  if (rows.length === 0) return <p className="sb-report-empty">{block.empty ?? texts.nothing}</p>
  if (block.type === 'figure') {
    const [all] = groupRows(rows, [], block.measures)
    return (
      <dl className="sb-figures">
        {block.measures.map((id) => (
          <div key={id}>
            <dt>{shown.title(id)}</dt>
            <dd>{all ? <Led address={shown.measureAddress(id, all)}>{shown.measure(id, all)}</Led> : '—'}</dd>
          </div>
        ))}
      </dl>
    )
  }
  const groups = ordered(block, model, groupRows(rows, block.dimensions, block.measures), shown)
  return (
    <>
      {block.type === 'chart' && (
        <Suspense fallback={null}>
          <Chart block={block} groups={groups} shown={shown} label={texts.chart(block.title)} />
        </Suspense>
      )}
      <GroupTable {...props} groups={groups} />
    </>
  )
}
