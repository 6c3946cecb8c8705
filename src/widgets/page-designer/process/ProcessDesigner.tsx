import '../designer.css'
import './process.css'
import { useHost } from '../../../runtime/hostContext'
import { Denied } from '../../../runtime/reading/Denied'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { useTokenStyle } from '../../../runtime/tokens'
import type { WidgetProps } from '../../../runtime/widget'
import type { ProcessDocument } from '../../../schema/generated/process'
import { isObject } from '../../../schema/overlay'
import { CatalogueContext } from './panel/catalogue'
import { ProcessEditor } from './ProcessEditor'
import { processTexts } from './texts'
import type { Catalogue, ProcessDetail } from './types'

export const DESIGN_KEY = 'wf:design'
const LIST = '/setModule/process/configer'

/** A process of which nothing but its shape is known. */
const newProcess = (): ProcessDocument => ({
  formatVersion: 3,
  name: '',
  label: { zh: '', en: '' },
  group: 'ops',
  prefix: '',
  form: { fields: {} },
  nodes: [
    { id: 'start', kind: 'start', label: { zh: '发起', en: 'Start' } },
    {
      id: 'approve',
      kind: 'approve',
      label: { zh: '直接上级审批', en: 'Direct leader' },
      assignees: [{ rule: 'deptLeader', level: 1 }],
    },
    { id: 'end', kind: 'end', label: { zh: '结束', en: 'End' }, result: 'agreed' },
  ],
})

/** One approval process being designed: `?id=` names it (id or code), without it a new one begins. */
const ProcessDesigner = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const style = useTokenStyle()
  const id = isObject(values.query) && typeof values.query.id === 'string' && values.query.id !== '' ? values.query.id : null
  const mayDesign = host.can(DESIGN_KEY)
  const catalogue = useCall<Catalogue>(mayDesign ? { method: 'GET', path: '/v2/workflow/process/catalogue' } : null)
  const detail = useCall<ProcessDetail>(
    mayDesign && id !== null ? { method: 'GET', path: `/v2/workflow/process/update/${encodeURIComponent(id)}` } : null,
  )
  if (!mayDesign) return <Denied title={processTexts[host.locale].denied} permission={DESIGN_KEY} />
  const leave = (): void => host.navigate(LIST)
  return (
    <div className="sb-designer sb-process" style={style}>
      <Loaded call={catalogue}>
        {(known) => (
          <CatalogueContext value={known}>
            {id === null ? (
              <ProcessEditor key="new" detail={null} begun={newProcess()} onLeave={leave} onReload={() => undefined} />
            ) : (
              <Loaded call={detail}>
                {(process) => (
                  <ProcessEditor
                    key={`${process.id} ${process.versionNo}`}
                    detail={process}
                    begun={process.document}
                    onLeave={leave}
                    onReload={detail.reload}
                  />
                )}
              </Loaded>
            )}
          </CatalogueContext>
        )}
      </Loaded>
    </div>
  )
}
export default ProcessDesigner
