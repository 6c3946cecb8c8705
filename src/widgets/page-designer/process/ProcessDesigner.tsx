import { useHost } from '../../../runtime/hostContext'
import type { WidgetProps } from '../../../runtime/widget'
import type { ProcessDocument } from '../../../schema/generated/process'
import { ProcessEditor } from './ProcessEditor'
import { processTexts } from './texts'
import type { ProcessDetail } from './types'
import { DesignerFrame } from './work/DesignerFrame'

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
const ProcessDesigner = ({ values }: WidgetProps<object>) => (
  <DesignerFrame<ProcessDetail>
    values={values}
    denied={processTexts[useHost().locale].denied}
    path="/v2/workflow/process/update"
    list="/setModule/process/configer"
  >
    {({ detail, leave, reload }) => (
      <ProcessEditor detail={detail} begun={detail?.document ?? newProcess()} onLeave={leave} onReload={reload} />
    )}
  </DesignerFrame>
)
export default ProcessDesigner
