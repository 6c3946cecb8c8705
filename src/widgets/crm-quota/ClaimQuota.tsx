import { QuotaFigures } from './QuotaFigures'

/** Claims used today and this week, and the holding cap. */
const ClaimQuota = () => (
  <QuotaFigures
    select={({ daily, weekly, holding }, zh) => [
      { id: 'daily', label: zh ? '今日领取' : 'Claims today', ...daily, warnAt: 80 },
      { id: 'weekly', label: zh ? '本周领取' : 'Claims this week', ...weekly, warnAt: 80 },
      { id: 'holding', label: zh ? '客户保有量' : 'Customers held', ...holding },
    ]}
  />
)
export default ClaimQuota
