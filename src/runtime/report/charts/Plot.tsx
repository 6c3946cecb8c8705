import { useEffect, useRef, useState } from 'react'
import { init } from './engine'
import { useLook, type Look } from './look'
import type { ChartOption } from './shared'

export interface PlotProps {
  /** What it shows; kept by its caller, since another one is drawn anew. */
  draw: (look: Look) => ChartOption
  /** Told to those who cannot see it. */
  label: string
  /** px */
  height: number
  /** Follows the address of what is clicked, in a new window or here. */
  onOpen?: (address: string, options: { newWindow: boolean }) => void
}

/** A chart narrower than this has its legend below, px. */
const NARROW = 440

interface Clicked {
  data?: unknown
  event?: { event?: unknown }
}

const addressOf = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'address' in data && typeof data.address === 'string' ? data.address : null

/**
 * A chart as wide as its place. What leads somewhere is followed by a click; the keyboard meets the same links in the table of the
 * block.
 */
const Plot = ({ draw, label, height, onOpen }: PlotProps) => {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ReturnType<typeof init>>(null)
  const look = useLook()
  /** Null until its place is seen: kept tabs and folded parts have no width. */
  const [narrow, setNarrow] = useState<boolean | null>(null)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth === 0) return
      chart.current?.resize()
      setNarrow(element.clientWidth < NARROW)
    })
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      chart.current?.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element || narrow === null || element.clientWidth === 0) return
    chart.current ??= init(element, null, { renderer: 'svg' })
    chart.current.resize()
    chart.current.setOption(draw({ ...look, narrow }), { notMerge: true })
  }, [draw, look, narrow, height])

  useEffect(() => {
    const drawn = chart.current
    if (!drawn || !onOpen) return
    const open = ({ data, event }: Clicked): void => {
      const address = addressOf(data)
      const pressed = event?.event
      if (address !== null) onOpen(address, { newWindow: pressed instanceof MouseEvent && (pressed.ctrlKey || pressed.metaKey) })
    }
    drawn.on('click', open)
    return () => {
      if (!drawn.isDisposed()) drawn.off('click', open)
    }
  }, [onOpen, narrow])

  return <div ref={box} className="sb-plot" role="img" aria-label={label} style={{ height }} />
}
export default Plot
