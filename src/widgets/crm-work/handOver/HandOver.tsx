import { Typography } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import type { WidgetProps } from '../../../runtime/widget'
import { Plan, type Owned } from './Plan'
import { handOverTexts } from './texts'

/** What a person owns, and to whom it goes when the person leaves. */
const HandOver = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const texts = handOverTexts[host.locale]
  const staffId = typeof values.staffId === 'string' ? values.staffId : null
  const answer = useCall<Owned>(
    staffId === null ? null : { method: 'GET', path: `/v2/sys/staff/user/handover/${encodeURIComponent(staffId)}` },
  )
  if (staffId === null) return <p>{texts.noStaff}</p>
  return (
    <Loaded call={answer}>
      {(owned) =>
        owned.staff.status === 'left' && owned.customers.length === 0 ? (
          <Typography.Text type="secondary">{texts.left}</Typography.Text>
        ) : (
          <Plan owned={owned} onDone={answer.reload} />
        )
      }
    </Loaded>
  )
}
export default HandOver
