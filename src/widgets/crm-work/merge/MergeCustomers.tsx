import { Alert, Button } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import type { WidgetProps } from '../../../runtime/widget'
import { Comparison, type MergePreview } from './Comparison'
import { useCustomerFields } from './fields'
import { mergeTexts } from './texts'

const LIST = '/crm/client-partner/my-client'

const idsOf = (query: unknown): string[] => {
  const ids = typeof query === 'object' && query !== null && 'ids' in query ? query.ids : null
  return typeof ids === 'string' ? [...new Set(ids.split(',').filter(Boolean))].slice(0, 3) : []
}

/** Two or three customers side by side: which one stays, and whose value holds field by field. */
const MergeCustomers = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const texts = mergeTexts[host.locale]
  const ids = idsOf(values.query)
  const answer = useCall<MergePreview>(
    ids.length < 2 ? null : { method: 'POST', path: '/v2/crm/customer/merge/preview', body: { ids } },
  )
  const { fields, failed } = useCustomerFields()
  const leave = (): void => {
    host.closePage()
    host.navigate(LIST)
  }
  const toList = host.canOpen(LIST) && (
    <Button type="primary" onClick={leave}>
      {texts.toList}
    </Button>
  )
  if (ids.length < 2)
    return (
      <State title={texts.title} text={texts.few}>
        {toList}
      </State>
    )
  if (failed !== null && answer.failure === null) return <Alert type="error" showIcon message={failed} />
  return (
    <Loaded call={fields === null && answer.failure === null ? { ...answer, data: null } : answer} leave={toList}>
      {(preview) => <Comparison key={ids.join()} preview={preview} fields={fields ?? []} />}
    </Loaded>
  )
}
export default MergeCustomers
