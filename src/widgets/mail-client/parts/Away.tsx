import { Alert, Button } from 'antd'
import { useState } from 'react'
import { tellChanged } from '../../../runtime/changes'
import { companyZone } from '../../../headless/scope'
import { useHost } from '../../../runtime/hostContext'
import { tellFailure } from '../../../runtime/reading/tell'
import { wallClock } from '../../../schema/formats'
import { mailTexts } from './texts'
import type { Mailbox } from './types'
import { ACCOUNT } from './useMailboxes'

const SETTINGS = '/crm/addEditEmail'

/** Says of each mailbox whose owner is away that senders get a reply, and until when. */
export const Away = ({ boxes }: { boxes: readonly Mailbox[] }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [busy, setBusy] = useState(false)
  const now = host.now().getTime()
  const away = boxes.filter(({ absentFrom, absentUntil, timeZone }) => {
    const today = wallClock(now, timeZone ?? companyZone(host)).format('YYYY-MM-DD')
    return absentFrom && absentFrom <= today && today <= (absentUntil ?? absentFrom)
  })
  const isOne = boxes.filter(({ kind }) => kind === 'personal').length === 1
  const end = ({ id, version }: Mailbox): void => {
    setBusy(true)
    host
      .request({ method: 'POST', path: `${ACCOUNT}/save`, body: { id, version, absentFrom: null, absentUntil: null } })
      .then(
        () => host.notify('success', texts.backAgain),
        (error: unknown) => tellFailure(host, error, 'mail.client away'),
      )
      .finally(() => {
        tellChanged(ACCOUNT)
        setBusy(false)
      })
  }
  return away.map((box) => (
    <Alert
      key={box.id}
      type="info"
      showIcon
      message={
        <>
          {isOne ? '' : `${box.address} · `}
          {texts.away(box.absentUntil ?? box.absentFrom ?? '')}
          {box.right === 'manage' && (
            <span className="sb-mail-acts">
              {host.canOpen(SETTINGS) && (
                <Button size="small" type="link" onClick={() => host.navigate(`${SETTINGS}?id=${encodeURIComponent(box.id)}`)}>
                  {texts.changeAway}
                </Button>
              )}
              <Button size="small" type="link" disabled={busy} onClick={() => end(box)}>
                {texts.endAway}
              </Button>
            </span>
          )}
        </>
      }
    />
  ))
}
