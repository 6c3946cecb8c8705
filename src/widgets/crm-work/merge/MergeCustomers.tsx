import { Alert, Button } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import type { WidgetProps } from '../../../runtime/widget'
import { Comparison, type MergePreview } from './Comparison'
import { useFormFields } from './fields'
import { mergeTexts } from './texts'

interface Props {
  path?: string
  form?: string
  list?: string
}

const idsOf = (query: unknown): string[] => {
  const ids = typeof query === 'object' && query !== null && 'ids' in query ? query.ids : null
  return typeof ids === 'string' ? [...new Set(ids.split(',').filter(Boolean))].slice(0, 3) : []
}

/** Two or three records side by side: which one stays, and whose value holds field by field. */
const MergeCustomers = ({ props, values }: WidgetProps<Props>) => {
  const { path = '/v2/crm/customer', form = 'crm/customer', list = '/crm/client-partner/my-client' } = props
  const host = useHost()
  const texts = mergeTexts[host.locale]
  const title = typeof values.title === 'string' ? values.title : texts.title
  const ids = idsOf(values.query)
  const answer = useCall<MergePreview>(ids.length < 2 ? null : { method: 'POST', path: `${path}/merge/preview`, body: { ids } })
  const { fields, failed } = useFormFields(form)
  const leave = (): void => {
    host.closePage()
    host.navigate(list)
  }
  const toList = host.canOpen(list) && (
    <Button type="primary" onClick={leave}>
      {texts.toList}
    </Button>
  )
  if (ids.length < 2)
    return (
      <State title={title} text={texts.few}>
        {toList}
      </State>
    )
  if (failed !== null && answer.failure === null) return <Alert type="error" showIcon message={failed} />
  return (
    <Loaded call={fields === null && answer.failure === null ? { ...answer, data: null } : answer} leave={toList}>
      {(preview) => <Comparison key={ids.join()} title={title} path={path} list={list} preview={preview} fields={fields ?? []} />}
    </Loaded>
  )
}
export default MergeCustomers
