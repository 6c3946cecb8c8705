import { List, Popover, Tag } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { designerTexts } from '../texts'

interface Fault {
  revision: string
  at: string
  message: string
  count: number
  lastAt: string
  /** Of the revision that is served now. */
  current: boolean
}

/** How often browsers could not show a part of the page; a click says which part, why, and of which revision. */
export const Faults = ({ page, count }: { page: string; count: number }) => {
  const texts = designerTexts[useHost().locale]
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      title={texts.faults(count)}
      content={open && <FaultList page={page} />}
    >
      <button type="button" className="sb-design-fault" aria-expanded={open}>
        <Tag color="red">{texts.faults(count)}</Tag>
      </button>
    </Popover>
  )
}

const FaultList = ({ page }: { page: string }) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const call = useCall<{ faults: readonly Fault[] }>({ method: 'GET', path: '/v2/sys/schema/faults', query: { page } })
  return (
    <Loaded call={call} rows={3}>
      {({ faults }) => (
        <List<Fault>
          size="small"
          className="sb-design-faults"
          rowKey={({ revision, at }) => `${revision} ${at}`}
          dataSource={[...faults]}
          renderItem={({ revision, current, at, message, count, lastAt }) => (
            <List.Item>
              <List.Item.Meta
                title={message}
                description={
                  <>
                    <Tag color={current ? 'red' : undefined}>{current ? texts.current : texts.faultOld}</Tag>
                    {texts.faultAt} <code>{at || '/'}</code> · {texts.times(count)} · {momentText(host, lastAt)} ·{' '}
                    {texts.faultRevision} <code title={revision}>{revision.slice(-8)}</code>
                  </>
                }
              />
            </List.Item>
          )}
        />
      )}
    </Loaded>
  )
}
