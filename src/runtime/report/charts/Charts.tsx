import { Fragment } from 'react'
import type { ReportModel } from '../../../schema/model'
import { Led } from '../Figure'
import type { Group } from '../group'
import type { Shown } from '../shown'

interface ChartProps {
  block: ReportModel['blocks'][number]
  groups: readonly Group[]
  shown: Shown
  /** Told to those who cannot see the chart; the table below it holds the same. */
  label: string
}

/** One bar, step, point or piece. */
interface Part {
  name: string
  value: number
  /** The value as people read it. */
  text: string
  /** Where it leads; null when nowhere. */
  address: string | null
  /** The colour that a dictionary gives to it. */
  colour?: string
}

interface DrawnProps {
  parts: readonly Part[]
  label: string
}

/** The first measure by the dimensions; without a dimension every measure is a part. With a currency only the amounts in it. */
const partsOf = ({ block, groups, shown }: ChartProps, currency: string | undefined): readonly Part[] => {
  const part = (id: string, group: Group, name: string): Part => ({
    name,
    value: shown.amount(id, group, currency),
    text: shown.measure(id, group, currency),
    address: shown.measureAddress(id, group),
    colour: shown.colour(block.dimensions[0] ?? '', group.keys[0]),
  })
  const [first] = groups
  const [measure = ''] = block.measures
  if (block.dimensions.length === 0) return first ? block.measures.map((id) => part(id, first, shown.title(id))) : []
  return groups.map((group) =>
    part(measure, group, block.dimensions.map((id, index) => shown.dimension(id, group, index)).join(' · ')),
  )
}

/** Bars side by side from one zero line; `centred` ones make a funnel. */
const Bars = ({ parts, label, centred = false }: DrawnProps & { centred?: boolean }) => {
  const values = parts.map(({ value }) => value)
  const least = Math.min(0, ...values)
  const span = Math.max(0, ...values) - least || 1
  return (
    <div className="sb-bars" role="img" aria-label={label}>
      {parts.map(({ name, value, text, address }, index) => {
        const width = (Math.abs(value) / span) * 100
        const start = centred ? (100 - width) / 2 : ((Math.min(value, 0) - least) / span) * 100
        return (
          <Fragment key={index}>
            <span className="sb-bar-label" title={name}>
              {name}
            </span>
            <span className="sb-bar-track">
              <Led address={address} quiet>
                <span className="sb-bar-rect" style={{ insetInlineStart: `${start}%`, width: `${width}%` }} />
              </Led>
            </span>
            <span className="sb-bar-value sb-number">
              <Led address={address} quiet>
                {text}
              </Led>
            </span>
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

/**
 * Values from left to right in the order of the points, with the highest one and both ends named. With `spread` the height shows how
 * they differ (a rate), not how much they are: it begins at the lowest one.
 */
export const Line = ({
  points,
  label,
  spread = false,
}: {
  points: readonly Pick<Part, 'name' | 'value' | 'text'>[]
  label: string
  spread?: boolean
}) => {
  const values = points.map(({ value }) => value)
  const [least, most] = spread ? [Math.min(...values), Math.max(...values)] : [Math.min(0, ...values), Math.max(0, ...values)]
  const x = (index: number): number => (points.length < 2 ? WIDE / 2 : 4 + (index / (points.length - 1)) * (WIDE - 8))
  const y = (value: number): number => HIGH - 4 - ((value - least) / (most - least || 1)) * (HIGH - 8)
  const highest = points[values.indexOf(most)]
  const [first, last] = [points[0], points.at(-1)]
  return (
    <div className="sb-line-chart">
      <span className="sb-line-most sb-number">{highest?.text}</span>
      <svg className="sb-line" role="img" aria-label={label} viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none">
        <line className="sb-line-most-rule" x1="0" x2={WIDE} y1={y(most)} y2={y(most)} />
        {!spread && <line className="sb-line-zero" x1="0" x2={WIDE} y1={y(0)} y2={y(0)} />}
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

const RADIUS = 15.9155
const COLOURS = 8

/** The dictionary's own colours where each part has another one (or none): a state looks the same everywhere. Else one after the other. */
const coloursOf = (parts: readonly Part[]): readonly string[] => {
  const own = parts.map(({ colour }) => colour)
  const told = own.some((colour) => colour !== undefined) && new Set(own).size === own.length
  return parts.map((_, index) => `sb-pie-${told ? (own[index] ?? COLOURS - 1) : index % COLOURS}`)
}

/** Parts of a whole as a ring; negative parts have no place in it. */
const Pie = ({ parts, label }: DrawnProps) => {
  const values = parts.map(({ value }) => Math.max(0, value))
  const whole = values.reduce((sum, value) => sum + value, 0) || 1
  const colours = coloursOf(parts)
  const starts = values.map((_, index) => (values.slice(0, index).reduce((sum, value) => sum + value, 0) / whole) * 100)
  return (
    <div className="sb-pie">
      <svg role="img" aria-label={label} viewBox="0 0 42 42" width="148" height="148">
        {values.map((value, index) => (
          <circle
            key={index}
            className={`sb-pie-part ${colours[index]}`}
            cx="21"
            cy="21"
            r={RADIUS}
            strokeDasharray={`${(value / whole) * 100} ${100 - (value / whole) * 100}`}
            strokeDashoffset={25 - (starts[index] ?? 0)}
          />
        ))}
      </svg>
      <ul>
        {parts.map(({ name, text, address }, index) => (
          <li key={index}>
            <span className={`sb-pie-key ${colours[index]}`} aria-hidden="true" />
            <Led address={address} quiet>
              {name}
            </Led>
            <span className="sb-pie-share sb-number">
              {text} · {(((values[index] ?? 0) / whole) * 100).toFixed(1)}%
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const Drawn = ({ kind, parts, label }: DrawnProps & { kind: ChartProps['block']['chart'] }) => {
  switch (kind) {
    case 'line':
      return <Line points={parts} label={label} />
    case 'pie':
      return <Pie parts={parts} label={label} />
    case 'funnel':
      return <Bars parts={parts} label={label} centred />
    default:
      return <Bars parts={parts} label={label} />
  }
}

/**
 * The chart that the block names (bars when it names none), under the name of what it measures; amounts of several currencies have no
 * common scale and have one chart each.
 */
const Chart = (props: ChartProps) => {
  const { block, groups, shown, label } = props
  const [measure = ''] = block.measures
  const currencies = block.dimensions.length === 0 ? [] : shown.currencies(measure, groups)
  return (currencies.length > 0 ? currencies : [undefined]).map((currency) => (
    <Fragment key={currency ?? ''}>
      {block.dimensions.length > 0 && (
        <p className="sb-chart-caption">
          {shown.title(measure)}
          {currency && ` · ${currency}`}
        </p>
      )}
      <Drawn kind={block.chart} parts={partsOf(props, currency)} label={label} />
    </Fragment>
  ))
}
export default Chart
