import type { WidgetProps } from '../../runtime/widget'
import { QuotaFigures, type OfEntity } from './QuotaFigures'

/** Records that count against the holding cap. */
const HoldingCap = ({ props: { path } }: WidgetProps<OfEntity>) => (
  <QuotaFigures path={path} select={({ holding }, zh) => [{ id: 'holding', label: zh ? '保有量' : 'Holding', ...holding }]} />
)
export default HoldingCap
