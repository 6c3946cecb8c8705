import { Alert, Button } from 'antd'
import { useEffect } from 'react'
import { useHost } from '../../runtime/hostContext'
import { Loaded } from '../../runtime/reading/Loaded'
import { State } from '../../runtime/state'
import { Client } from './Client'
import { mailTexts } from './parts/texts'
import { Away } from './parts/Away'
import type { Place } from './parts/place'
import type { View } from './parts/types'
import { useMailboxes } from './parts/useMailboxes'

/** Where somebody without a mailbox gets one. */
const NONE = '/message/email/none'

/** The reader's mail; who has no mailbox is led to where he gets one. */
export const Mailbox = ({ view, place }: { view: View; place: Place }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const mailboxes = useMailboxes()
  const { call, boxes } = mailboxes
  const isUnbound = call.data?.bound === false
  const mayBind = host.canOpen(NONE)
  useEffect(() => {
    if (isUnbound && mayBind) host.navigate(NONE, { replace: true })
  }, [host, isUnbound, mayBind])
  if (isUnbound)
    return (
      <State role="status" title={texts.noMailbox} text={texts.noMailboxText}>
        {mayBind && (
          <Button type="primary" onClick={() => host.navigate(NONE)}>
            {texts.bind}
          </Button>
        )}
      </State>
    )
  const first = boxes?.filter(
    ({ transport, lastSyncAt, state }) => transport === 'imapSmtp' && !lastSyncAt && state !== 'failing',
  )
  return (
    <Loaded call={{ ...call, data: call.data && boxes }} rows={12}>
      {(known) => (
        <>
          {first?.map(({ id, address }) => (
            <Alert key={id} type="info" showIcon message={texts.firstSync(address)} />
          ))}
          <Away boxes={known} />
          <Client view={view} place={place} boxes={known} marks={mailboxes.marks} people={mailboxes.people} />
        </>
      )}
    </Loaded>
  )
}
