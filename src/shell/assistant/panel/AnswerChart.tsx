import { useCallback, useMemo } from 'react'
import { heightOf, optionOf } from '../../../runtime/report/charts/option'
import type { Panel } from '../../../runtime/report/charts/panel'
import Plot from '../../../runtime/report/charts/Plot'
import { usePortal } from '../../portal/portal'
import type { BlockOf } from '../chat/wire'

/** A chart of an answer, drawn as those of reports are. */
const AnswerChart = ({ block }: { block: BlockOf<'chart'> }) => {
  const { language } = usePortal()
  const { locale } = language
  const panel = useMemo((): Panel => {
    const { chart, title, unit, points } = block
    const figure = new Intl.NumberFormat(locale === 'zh' ? 'zh-CN' : 'en', { maximumFractionDigits: 2 })
    const short = new Intl.NumberFormat(locale === 'zh' ? 'zh-CN' : 'en', { notation: 'compact', maximumFractionDigits: 1 })
    return {
      kind: chart,
      categories: points.map(({ name }) => name),
      time: chart === 'line',
      stacked: false,
      series: [
        {
          name: title,
          color: 'blue',
          axis: 0,
          points: points.map(({ value }) => ({ value, text: [figure.format(value), unit].join(' ').trim(), address: null })),
        },
      ],
      axes: [{ ...(unit === '' ? {} : { name: unit }), scale: (value) => short.format(value) }],
    }
  }, [block, locale])
  const draw = useCallback((look: Parameters<typeof optionOf>[1]) => optionOf(panel, look), [panel])
  return (
    <figure className="sb-assistant-chart">
      <figcaption>{[block.title, block.unit].filter((part) => part !== '').join(', ')}</figcaption>
      <Plot draw={draw} label={block.title} height={heightOf(panel)} />
    </figure>
  )
}
export default AnswerChart
