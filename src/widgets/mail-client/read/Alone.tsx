import { Button } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { State } from '../../../runtime/state'
import { addressOf, messageAddress } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Box, View } from '../parts/types'
import { useChange } from '../parts/useChange'
import { useMailboxes } from '../parts/useMailboxes'
import { useWriting } from '../parts/useWriting'
import { Reader } from './Reader'

/** One message on a page of its own: from CRM, bills, quotes, to-dos, by its id. */
export const Alone = ({ view, box, id }: { view: View; box: Box; id: string | null }) => {
  const host = useHost()
  const writing = useWriting(view)
  const texts = mailTexts[host.locale]
  const { call, boxes, marks, people } = useMailboxes()
  const change = useChange()
  const list = addressOf(view, { box, page: 1 })
  const leave = (): void => host.closePage(list)
  if (id === null)
    return (
      <State role="alert" title={texts.choose}>
        <Button onClick={() => host.navigate(list, { replace: true })}>{texts.back}</Button>
      </State>
    )
  return (
    <div className="sb-mail-alone">
      <Loaded call={{ ...call, data: call.data && boxes }} rows={10}>
        {(known) => (
          <Reader
            key={id}
            isAlone
            {...{ id, view, marks, people, change }}
            boxes={known}
            onMove={(ids, to, always) => void change.move(ids, to, always).then((done) => done && leave())}
            onSnooze={(ids, snoozedUntil) => void change.mark(ids, { snoozedUntil }).then((done) => done && leave())}
            onWrite={(kind, message) => writing({ kind, messageId: message.id, accountId: message.accountId })}
            onOpen={(next) => {
              const accountId = known[0]?.id ?? ''
              host.navigate(messageAddress(view, { id: next, accountId, box }), { replace: true })
            }}
            onBack={leave}
          />
        )}
      </Loaded>
    </div>
  )
}
