import { useCallback, useMemo } from 'react'
import { useHost } from '../../hostContext'
import { heightOf, optionOf } from './option'
import type { ChartParts, Panel } from './panel'
import { panelsOf } from './panels'
import Plot from './Plot'

interface PanelProps {
  panel: Panel
  label: string
}

const Drawn = ({ panel, label }: PanelProps) => {
  const host = useHost()
  const draw = useCallback((look: Parameters<typeof optionOf>[1]) => optionOf(panel, look), [panel])
  const open = useCallback((address: string, options: { newWindow: boolean }) => host.navigate(address, options), [host])
  return <Plot draw={draw} label={label} height={heightOf(panel)} onOpen={open} />
}

/** The chart that the block names (bars when it names none), under the name of what it measures. */
const Chart = ({ block, model, groups, shown, label }: ChartParts & { label: string }) => {
  const panels = useMemo(() => panelsOf({ block, model, groups, shown }), [block, model, groups, shown])
  return panels.map((panel, index) => (
    <figure key={index} className="sb-chart">
      {panel.caption !== undefined && <figcaption>{panel.caption}</figcaption>}
      <Drawn panel={panel} label={label} />
    </figure>
  ))
}
export default Chart
