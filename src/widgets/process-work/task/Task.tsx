import '../parts/process.css'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { tellChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { useTokenStyle } from '../../../runtime/tokens'
import type { WidgetProps } from '../../../runtime/widget'
import { WORK_LISTS } from '../parts/lists'
import { useFormPart } from '../parts/ProcessForm'
import type { InstanceDetail } from '../parts/types'
import { TaskView } from './TaskView'
import { taskTexts } from './texts'

interface TaskProps {
  list?: 'todo' | 'initiated' | 'handled' | 'copies'
}

const TODO = '/general/process/my-agent'

/** An application by its task or itself: what it says, how far it is, and what this person can do with it. */
const Task = ({ props, values }: WidgetProps<TaskProps>) => {
  const host = useHost()
  const texts = taskTexts[host.locale]
  const style = useTokenStyle()
  const query = (values.query ?? {}) as Readonly<Record<string, string | undefined>>
  const { taskId } = query
  const instanceId = query.instanceId ?? (taskId === undefined ? query.id : undefined)
  const call = useCall<InstanceDetail>(
    taskId || instanceId
      ? {
          method: 'POST',
          path: '/v2/workflow/operate/instanceDetail',
          body: { ...(taskId ? { taskId } : {}), ...(instanceId ? { instanceId } : {}) },
        }
      : null,
  )
  const { list = 'todo' } = props
  const known = call.data?.instance.id ?? null
  const drawable = useFormPart()
  const read = useRef<string | null>(null)
  useEffect(() => {
    if (known === null || known === read.current) return
    read.current = known
    // Whoever looks at it has read it: his copy and his task are no news any more.
    host
      .request({ method: 'POST', path: '/v2/workflow/operate/read', body: { instanceId: known, ...(taskId ? { taskId } : {}) } })
      .then(() => list === 'copies' && tellChanged(WORK_LISTS.copies))
      // it stays unread, which does no harm
      .catch(() => undefined)
  }, [host, known, list, taskId])

  const leave = host.canOpen(TODO) && <Button onClick={() => host.navigate(TODO, { replace: true })}>{texts.toList}</Button>
  if (!taskId && !instanceId)
    return (
      <State role="alert" title={texts.gone} text={texts.goneText}>
        {leave}
      </State>
    )
  return (
    <div className="sb-process" style={style}>
      <Loaded call={drawable ? call : { ...call, data: null }} rows={10} leave={leave}>
        {(detail) => (
          <TaskView
            key={`${detail.instance.id} ${taskId ?? ''}`}
            detail={detail}
            list={list}
            asked={taskId ?? null}
            reload={call.reload}
          />
        )}
      </Loaded>
    </div>
  )
}
export default Task
