import { Alert, Button, Empty } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
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
  if (ids.length < 2)
    return (
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.few}>
        {host.canOpen(LIST) && <Button onClick={() => host.navigate(LIST)}>{texts.toList}</Button>}
      </Empty>
    )
  if (failed !== null && answer.failure === null) return <Alert type="error" showIcon message={failed} />
  return (
    <Loaded call={fields === null && answer.failure === null ? { ...answer, data: null } : answer}>
      {(preview) => <Comparison key={ids.join()} preview={preview} fields={fields ?? []} />}
    </Loaded>
  )
}
export default MergeCustomers
