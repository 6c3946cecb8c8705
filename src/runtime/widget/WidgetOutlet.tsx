import { Suspense, useMemo, type ReactNode } from 'react'
import type { Source } from '../../schema/model'
import { useHost } from '../hostContext'
import { Skeleton } from '../state'
import { BlockBoundary, BlockError, BlockFailure } from './BlockBoundary'
import { findWidget } from './registry'
import { widgetTexts } from './texts'
import { checkProps } from './widget'

interface WidgetOutletProps {
  name: string
  props: unknown
  /** What the place gives: record, row, value, query. */
  values: Readonly<Record<string, unknown>>
  source: Source
  fallback?: ReactNode
}

/** Draws a widget by name. An unknown name or wrong properties are an error of this block, not of the page. */
export const WidgetOutlet = ({ name, props, values, source, fallback }: WidgetOutletProps) => {
  const { locale } = useHost()
  const texts = widgetTexts[locale]
  const widget = findWidget(name)
  const problems = useMemo(() => (widget ? checkProps(widget.props, props ?? {}) : []), [widget, props])
  if (!widget) return <BlockFailure source={source} error={new BlockError(texts.unknown(name))} />
  if (problems.length > 0) {
    const reasons = problems.map(({ at, message }) => `${at} ${message[locale]}`).join('; ')
    return <BlockFailure source={source} error={new BlockError(texts.badProps(name, reasons))} />
  }
  return (
    <BlockBoundary source={source} resetKey={props}>
      <Suspense fallback={fallback ?? <Skeleton rows={3} columns={1} rowHeight={32} label={texts.loading} />}>
        <widget.Component props={props ?? {}} values={values} />
      </Suspense>
    </BlockBoundary>
  )
}
