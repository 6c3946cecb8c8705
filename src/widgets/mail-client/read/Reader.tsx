import { useEffect, useMemo, useRef, useState } from 'react'
import { onChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { mailTexts } from '../parts/texts'
import type { Mailbox, Mark, Message, Person, Row, Target, View } from '../parts/types'
import type { Change } from '../parts/useChange'
import { MAIL } from '../parts/useMailboxes'
import { Opened } from './Opened'

interface ReaderProps {
  id: string
  /** The message as the list knows it: what is marked there shows here at once. */
  row?: Row | undefined
  view: View
  boxes: readonly Mailbox[]
  marks: readonly Mark[]
  people: readonly Person[]
  change: Change
  onMove(ids: readonly string[], to: Target, always?: boolean): void
  onSnooze(ids: readonly string[], until: string | null): void
  onWrite(kind: string, message: Pick<Message, 'id' | 'accountId'>): void
  onOpen(id: string): void
  /** Where the list does not stand beside it. */
  onBack?(): void
  /** It has a page of its own. */
  isAlone?: boolean
}

/** One message, read from the gateway; to open it is to have read it. */
export const Reader = ({ id, row, ...rest }: ReaderProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [charset, setCharset] = useState<string>()
  const call = useCall<Message>({
    method: 'POST',
    path: '/v2/emailbox/email/detail',
    body: { messageId: id, ...(charset ? { charset } : {}) },
  })
  const { data, reload } = call
  const { boxes, change } = rest
  const mayWrite = boxes.some((box) => box.id === data?.accountId && box.right !== 'read')
  const isNew = data !== null && !data.seen && mayWrite
  // once: whoever marks it as unread while it is open means it
  const opened = useRef(false)
  useEffect(() => {
    if (!isNew || opened.current) return
    opened.current = true
    void change.mark([id], { seen: true }, true)
  }, [change, id, isNew])
  const isListed = row !== undefined
  useEffect(() => (isListed ? undefined : onChanged(MAIL, reload)), [isListed, reload])
  const shown = useMemo(() => data && { ...data, ...marksOf(row) }, [data, row])
  return (
    <article className="sb-mail-read" aria-label={texts.reading} tabIndex={-1}>
      <Loaded call={{ ...call, data: shown }} rows={10}>
        {(message) => (
          <Opened {...rest} message={message} mayWrite={mayWrite} charset={charset} onCharset={setCharset} onReload={reload} />
        )}
      </Loaded>
    </article>
  )
}

/** What changes of a message while it is open. */
const marksOf = (row: Row | undefined): Partial<Row> => {
  if (!row) return {}
  const { seen, starred, marks, folderId, followState, followStaffId, readingById, readingUntil, snoozedUntil } = row
  return { seen, starred, marks, folderId, followState, followStaffId, readingById, readingUntil, snoozedUntil }
}
