import type { WidgetProps } from '../../runtime/widget'
import { QuotaFigures, type OfEntity } from './QuotaFigures'

/** Claims used today and this week, and the holding cap. */
const ClaimQuota = ({ props: { path } }: WidgetProps<OfEntity>) => (
  <QuotaFigures
    path={path}
    select={({ daily, weekly, holding }, zh) => [
      { id: 'daily', label: zh ? '今日领取' : 'Claims today', ...daily, warnAt: 80 },
      { id: 'weekly', label: zh ? '本周领取' : 'Claims this week', ...weekly, warnAt: 80 },
      { id: 'holding', label: zh ? '保有量' : 'Holding', ...holding },
    ]}
  />
)
export default ClaimQuota
