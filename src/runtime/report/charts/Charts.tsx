import { Fragment } from 'react'
import type { ReportModel } from '../../../schema/model'
import type { Group } from '../group'
import type { Shown } from '../shown'

interface ChartProps {
  block: ReportModel['blocks'][number]
  groups: readonly Group[]
  shown: Shown
  /** Told to those who cannot see the chart; the table below it holds the same. */
  label: string
}

const labelOf = ({ block, shown }: ChartProps, group: Group): string =>
  block.dimensions.map((id, place) => shown.dimension(id, group.keys[place])).join(' · ')

/** What the chart shows: the first measure of its block. */
const Caption = ({ block, shown }: ChartProps) => <p className="sb-chart-caption">{shown.title(block.measures[0] ?? '')}</p>

/** Bars side by side from one zero line; `centred` ones make a funnel. */
const Bars = (props: ChartProps & { centred?: boolean }) => {
  const { block, groups, shown, label, centred = false } = props
  const [measure] = block.measures
  if (measure === undefined) return null
  const values = groups.map((group) => shown.amount(measure, group))
  const least = Math.min(0, ...values)
  const span = Math.max(0, ...values) - least || 1
  return (
    <div className="sb-bars" role="img" aria-label={label}>
      {groups.map((group, index) => {
        const value = values[index] ?? 0
        const width = (Math.abs(value) / span) * 100
        const start = centred ? (100 - width) / 2 : ((Math.min(value, 0) - least) / span) * 100
        const name = labelOf(props, group)
        return (
          <Fragment key={index}>
            <span className="sb-bar-label" title={name}>
              {name}
            </span>
            <span className="sb-bar-track">
              <span className="sb-bar-rect" style={{ insetInlineStart: `${start}%`, width: `${width}%` }} />
            </span>
            <span className="sb-bar-value sb-number">{shown.measure(measure, group)}</span>
          </Fragment>
        )
      })}
    </div>
  )
}

const WIDE = 600
const HIGH = 160
/** More points than this are a line without dots; what they are is still said where the pointer is. */
const MANY = 45

interface Point {
  name: string
  value: number
  /** The value as people read it. */
  text: string
}

/** Values from left to right in the order of the points, with the highest one and both ends named. */
export const Line = ({ points, label }: { points: readonly Point[]; label: string }) => {
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const x = (index: number): number => (points.length < 2 ? WIDE / 2 : 4 + (index / (points.length - 1)) * (WIDE - 8))
  const y = (value: number): number => HIGH - 4 - ((value - least) / (most - least || 1)) * (HIGH - 8)
  const highest = points[values.indexOf(most)]
  const [first, last] = [points[0], points.at(-1)]
  return (
    <div className="sb-line-chart">
      <span className="sb-line-most sb-number">{highest?.text}</span>
      <svg className="sb-line" role="img" aria-label={label} viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none">
        <line className="sb-line-most-rule" x1="0" x2={WIDE} y1={y(most)} y2={y(most)} />
        <line className="sb-line-zero" x1="0" x2={WIDE} y1={y(0)} y2={y(0)} />
        <polyline className="sb-line-path" points={values.map((value, index) => `${x(index)},${y(value)}`).join(' ')} />
        {/* of no length, with round ends: stays a dot however the picture is stretched */}
        {points.map(({ name, value, text }, index) => (
          <path
            key={index}
            className={`sb-line-point${points.length > MANY ? ' sb-line-many' : ''}`}
            d={`M${x(index)} ${y(value)}h0.01`}
          >
            <title>{`${name}: ${text}`}</title>
          </path>
        ))}
      </svg>
      <span className="sb-line-ends">
        <span>{first?.name}</span>
        <span>{last !== first && last?.name}</span>
      </span>
    </div>
  )
}

/** The measure over the first dimension, in the order of the rows. */
const LineOf = (props: ChartProps) => {
  const { block, groups, shown, label } = props
  const [measure] = block.measures
  if (measure === undefined) return null
  const points = groups.map((group) => ({
    name: labelOf(props, group),
    value: shown.amount(measure, group),
    text: shown.measure(measure, group),
  }))
  return <Line points={points} label={label} />
}

const RADIUS = 15.9155
const COLOURS = 8

/** The dictionary's own colours where each part has another one (or none): a state looks the same everywhere. Else one after the other. */
const partsOf = ({ block, shown }: ChartProps, groups: readonly Group[]): readonly string[] => {
  const [name = ''] = block.dimensions
  const own = groups.map((group) => shown.colour(name, group.keys[0]))
  const told = own.some((colour) => colour !== undefined) && new Set(own).size === own.length
  return groups.map((_, index) => `sb-pie-${told ? (own[index] ?? COLOURS - 1) : index % COLOURS}`)
}

/** Parts of a whole as a ring; negative parts have no place in it. */
const Pie = (props: ChartProps) => {
  const { block, groups, shown, label } = props
  const [measure] = block.measures
  if (measure === undefined) return null
  const values = groups.map((group) => Math.max(0, shown.amount(measure, group)))
  const whole = values.reduce((sum, value) => sum + value, 0) || 1
  const parts = partsOf(props, groups)
  const starts = values.map((_, index) => (values.slice(0, index).reduce((sum, value) => sum + value, 0) / whole) * 100)
  return (
    <div className="sb-pie">
      <svg role="img" aria-label={label} viewBox="0 0 42 42" width="148" height="148">
        {values.map((value, index) => (
          <circle
            key={index}
            className={`sb-pie-part ${parts[index]}`}
            cx="21"
            cy="21"
            r={RADIUS}
            strokeDasharray={`${(value / whole) * 100} ${100 - (value / whole) * 100}`}
            strokeDashoffset={25 - (starts[index] ?? 0)}
          />
        ))}
      </svg>
      <ul>
        {groups.map((group, index) => (
          <li key={index}>
            <span className={`sb-pie-key ${parts[index]}`} aria-hidden="true" />
            {labelOf(props, group)}
            <span className="sb-pie-share sb-number">
              {shown.measure(measure, group)} · {(((values[index] ?? 0) / whole) * 100).toFixed(1)}%
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Drawn = (props: ChartProps) => {
  switch (props.block.chart) {
    case 'line':
      return <LineOf {...props} />
    case 'pie':
      return <Pie {...props} />
    case 'funnel':
      return <Bars {...props} centred />
    default:
      return <Bars {...props} />
  }
}

/** The chart that the block names (bars when it names none), under the name of what it measures. */
const Chart = (props: ChartProps) => (
  <>
    <Caption {...props} />
    <Drawn {...props} />
  </>
)
export default Chart
