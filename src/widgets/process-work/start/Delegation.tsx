import { UserSwitchOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { momentText } from '../../../runtime/reading/moment'
import { tellFailure } from '../../../runtime/reading/tell'
import { useCall } from '../../../runtime/reading/useCall'
import { startTexts } from './texts'

const FormContainer = lazyPart(() => import('../../../runtime/action/FormContainer'), 'over')

const CALLS = '/v2/workflow/my/delegation'

/** A row of my/delegation/page. */
interface Delegated {
  id: string
  toId: string
  toName: string
  fromAt: string
  untilAt: string
  status: string
}

/** Who stands in for this person and until when; another one is named here, and an end made of it. */
export const Delegation = () => {
  const host = useHost()
  const texts = startTexts[host.locale]
  const call = useCall<{ given: readonly Delegated[] }>({ method: 'POST', path: `${CALLS}/page`, body: {} })
  const [adding, setAdding] = useState(false)
  const rows = call.data?.given ?? []
  const [now] = rows.filter(({ status }) => status === 'active' || status === 'pending')
  const end = async ({ id, toName }: Delegated): Promise<void> => {
    if (!(await host.confirm({ title: texts.endSure(toName), content: texts.endText, okText: texts.endDelegation }))) return
    try {
      await host.request({ method: 'POST', path: `${CALLS}/end/${encodeURIComponent(id)}`, idempotent: true })
      host.notify('success', texts.ended)
      call.reload()
    } catch (error) {
      tellFailure(host, error, 'delegation')
    }
  }
  return (
    <span className="sb-process-note">
      {now && (
        <>
          {now.status === 'active'
            ? texts.delegated(now.toName, momentText(host, now.untilAt))
            : texts.coming(now.toName, momentText(host, now.fromAt))}{' '}
          <Button size="small" onClick={() => void end(now)}>
            {texts.endDelegation}
          </Button>{' '}
        </>
      )}
      <Button icon={<UserSwitchOutlined />} onClick={() => setAdding(true)}>
        {texts.absent}
      </Button>
      {adding && (
        <Suspense fallback={null}>
          <FormContainer
            form="wf/delegation"
            container="drawer"
            values={{}}
            title={texts.absent}
            onDone={() => {
              setAdding(false)
              call.reload()
            }}
            onCancel={() => setAdding(false)}
          />
        </Suspense>
      )}
    </span>
  )
}
