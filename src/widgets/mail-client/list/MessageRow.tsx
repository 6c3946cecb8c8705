import {
  PaperClipOutlined,
  RollbackOutlined,
  ShareAltOutlined,
  StarFilled,
  StarOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { Checkbox } from 'antd'
import { memo, useEffect, useRef } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { follows } from '../parts/follow'
import { Label } from '../parts/Label'
import { addressOf, type Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Mark, Person, Row, View } from '../parts/types'
import type { Change } from '../parts/useChange'
import { shortMoment } from '../parts/when'
import { DRAGGED } from './dragged'

interface MessageRowProps {
  row: Row
  view: View
  place: Place
  marks: readonly Mark[]
  people: readonly Person[]
  change: Change
  /** Messages of the conversation that it stands for. */
  count: number
  isOpen: boolean
  isChosen: boolean
  dragged: readonly string[]
  isShared: boolean
  mayWrite: boolean
  onToggle(id: string): void
  onOpen(id: string): void
}

/** Warnings that make a mail look dangerous already in its list. */
const HEAVY = ['displayNameIsOtherAddress', 'linkTextDiffers', 'lookalikeDomain', 'executableAttachment']

/** One message of a list: who, what, when, and what has to be known before it is opened. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, view, place, marks, people, change, count, isOpen, isChosen, dragged, isShared, mayWrite, onToggle, onOpen } =
    props
  const host = useHost()
  const texts = mailTexts[host.locale]
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) item.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isOpen])
  const { id, subject, seen, starred, receiveTime, previewText } = row
  const receivers = row.receiverEmailList.map(({ email, name }) => name || email).join(', ')
  const who = row.direction === 'out' ? texts.toWhom(receivers || '—') : row.senderName || row.senderEmail || texts.nobody
  const title = subject || texts.noSubject
  const danger = row.warnings.find((warning) => HEAVY.includes(warning))
  const state = isShared ? follows(host, row, people) : null
  const isInbox = place.box === 'inbox' && place.folder === undefined
  const snooze = row.snoozedUntil
    ? texts.snoozedUntil(momentText(host, row.snoozedUntil))
    : row.wokenAt && isInbox && texts.wokenAt(momentText(host, row.wokenAt))
  return (
    <li
      ref={item}
      className="sb-mail-row"
      data-id={id}
      data-unread={!seen || undefined}
      data-open={isOpen || undefined}
      data-chosen={isChosen || undefined}
      draggable={mayWrite}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(DRAGGED, JSON.stringify(dragged))
        dataTransfer.effectAllowed = 'move'
      }}
    >
      <Checkbox aria-label={texts.select(title)} checked={isChosen} onChange={() => onToggle(id)} />
      <button
        type="button"
        className="sb-mail-star"
        aria-pressed={starred}
        aria-label={starred ? texts.unstar : texts.star}
        title={starred ? texts.unstar : texts.star}
        disabled={!mayWrite}
        onClick={() => void change.mark([id], { starred: !starred }, true)}
      >
        {starred ? <StarFilled /> : <StarOutlined />}
      </button>
      <a
        href={addressOf(view, { ...place, id })}
        aria-current={isOpen || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onOpen(id)
        }}
      >
        <span className="sb-mail-who">
          {!seen && <i className="sb-mail-dot" role="img" aria-label={texts.unread} />}
          <bdi>{who}</bdi>
          {count > 1 && <small title={texts.inConversation(count)}>{count}</small>}
        </span>
        <span className="sb-mail-what">
          <bdi className="sb-mail-subject">{title}</bdi>
          {previewText && <span className="sb-mail-preview">{previewText}</span>}
        </span>
        {(state || row.marks.length > 0 || row.bounced || snooze) && (
          <span className="sb-mail-signs">
            {state && <span className={`sb-tag sb-tag-${state.color}`}>{state.text}</span>}
            {row.marks.map((mark) => (
              <Label key={mark} mark={marks.find((one) => one.id === mark)} />
            ))}
            {snooze && <span className="sb-tag">{snooze}</span>}
            {row.bounced && <span className="sb-tag sb-tag-red">{texts.bounced}</span>}
          </span>
        )}
        <span className="sb-mail-side">
          {danger && (
            <WarningOutlined
              className="sb-mail-warn"
              role="img"
              aria-label={texts.careful}
              title={texts.warnings[danger] ?? texts.careful}
            />
          )}
          {row.answered && <RollbackOutlined role="img" aria-label={texts.answered} title={texts.answered} />}
          {row.forwarded && <ShareAltOutlined role="img" aria-label={texts.forwarded} title={texts.forwarded} />}
          {row.hasAttachment && <PaperClipOutlined role="img" aria-label={texts.hasFile} title={texts.hasFile} />}
          <time dateTime={receiveTime} title={momentText(host, receiveTime)}>
            {shortMoment(host, receiveTime)}
          </time>
        </span>
      </a>
    </li>
  )
})
