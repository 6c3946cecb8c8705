import { Suspense, useCallback } from 'react'
import { shortNumber } from '../../../schema/formats'
import { useHost } from '../../hostContext'
import { lazyPart } from '../../part/lazyPart'
import type { Look } from './look'
import { optionOf } from './option'

const Plot = lazyPart(() => import('./Plot'))

/** px */
const HIGH = 180

interface LineProps {
  /** In their order; kept by the caller, since others are drawn anew. */
  points: readonly { name: string; value: number; text: string }[]
  label: string
  /** The height shows how the values differ (a rate), not how much they are. */
  spread?: boolean
}

/** One line of values outside of a report. */
export const Line = ({ points, label, spread = false }: LineProps) => {
  const { locale } = useHost()
  const draw = useCallback(
    (look: Look) =>
      optionOf(
        {
          kind: 'line',
          categories: points.map(({ name }) => name),
          time: true,
          stacked: false,
          spread,
          series: [{ name: label, color: 'blue', axis: 0, points: points.map((point) => ({ ...point, address: null })) }],
          axes: [{ scale: (value) => shortNumber(value, locale) }],
        },
        look,
      ),
    [points, label, spread, locale],
  )
  return (
    <Suspense fallback={<div style={{ height: HIGH }} />}>
      <Plot draw={draw} label={label} height={HIGH} />
    </Suspense>
  )
}
