import '../../../runtime/cell/cell.css'
import {
  ArrowLeftOutlined,
  DeleteOutlined,
  FolderOutlined,
  InboxOutlined,
  MoreOutlined,
  RollbackOutlined,
  ShareAltOutlined,
  StarFilled,
  StarOutlined,
  StopOutlined,
} from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useEffect } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import { Party } from '../party/Party'
import { Label } from '../parts/Label'
import { messageAddress } from '../parts/place'
import { Snooze } from '../parts/Snooze'
import { mailTexts } from '../parts/texts'
import type { Mailbox, Mark, Message, Person, Target, View } from '../parts/types'
import type { Change } from '../parts/useChange'
import { Files } from './Files'
import { FollowBar } from './FollowBar'
import { Head } from './Head'
import { Letter } from './Letter'
import { printLetter } from './print'
import { Receipt } from './Receipt'
import { Thread } from './Thread'

interface OpenedProps {
  message: Message
  view: View
  boxes: readonly Mailbox[]
  marks: readonly Mark[]
  people: readonly Person[]
  change: Change
  mayWrite: boolean
  charset: string | undefined
  isAlone?: boolean
  onCharset(charset: string | undefined): void
  onReload(): void
  onMove(ids: readonly string[], to: Target, always?: boolean): void
  onSnooze(ids: readonly string[], until: string | null): void
  onWrite(kind: string, message: Pick<Message, 'id' | 'accountId'>): void
  onOpen(id: string): void
  onBack?(): void
}

const CHARSETS = ['utf-8', 'gb18030', 'big5', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'windows-1251', 'windows-1252', 'koi8-r']

/** A message with everything that is done about it. */
export const Opened = (props: OpenedProps) => {
  const { message, view, boxes, marks, people, change, mayWrite, charset, isAlone } = props
  const { onCharset, onReload, onMove, onSnooze, onWrite, onOpen, onBack } = props
  const host = useHost()
  const texts = mailTexts[host.locale]
  const { id, accountId, starred, seen, role, direction } = message
  const box = boxes.find((one) => one.id === accountId)
  const isSpam = role === 'junk'
  const title = message.subject || texts.noSubject
  useEffect(() => {
    if (isAlone) host.setTitle?.(title)
  }, [host, isAlone, title])
  const save = (): void => {
    const name = `${title.replace(/[\\/:*?"<>|]/gu, ' ').slice(0, 80)}.eml`
    void host
      .exportFile(`/v2/emailbox/eml/download/${encodeURIComponent(accountId)}/${encodeURIComponent(id)}`, {}, name)
      .catch((error: unknown) => host.notify('error', error instanceof Error ? error.message : String(error)))
  }
  const items: MenuProps['items'] = [
    { key: 'file', label: texts.forwardFile, onClick: () => onWrite('forwardAsAttachment', message) },
    ...(direction === 'out' ? [{ key: 'again', label: texts.editAgain, onClick: () => onWrite('editAgain', message) }] : []),
    ...(mayWrite
      ? [
          { type: 'divider' as const },
          {
            key: 'seen',
            label: seen ? texts.markUnread : texts.markRead,
            onClick: () => void change.mark([id], { seen: !seen }),
          },
          {
            key: 'labels',
            label: texts.labels,
            children:
              marks.length === 0
                ? [{ key: 'none', disabled: true, label: texts.noLabels }]
                : marks.map((mark) => {
                    const on = message.marks.includes(mark.id)
                    const toggle = (): void => void change.label([message], mark.id, !on)
                    return { key: mark.id, label: on ? `✓ ${mark.name}` : mark.name, onClick: toggle }
                  }),
          },
          ...(role === 'trash' || role === 'archive'
            ? [{ key: 'inbox', label: texts.toInbox, onClick: () => onMove([id], 'inbox') }]
            : []),
          {
            key: 'always',
            label: isSpam ? texts.notSpamAlways : texts.toSpamAlways,
            onClick: () => onMove([id], isSpam ? 'inbox' : 'junk', true),
          },
        ]
      : []),
    { type: 'divider' },
    ...(isAlone
      ? []
      : [
          {
            key: 'alone',
            label: texts.alone,
            onClick: () =>
              host.navigate(
                messageAddress(view, { id, accountId, box: direction === 'out' ? 'sent' : isSpam ? 'spam' : 'inbox' }),
              ),
          },
        ]),
    { key: 'eml', label: texts.eml, onClick: save },
    { key: 'print', label: texts.print, onClick: () => printLetter(message, host) },
    {
      key: 'charset',
      label: texts.charset,
      children: CHARSETS.map((name) => ({
        key: name,
        label: name === charset ? `✓ ${name}` : name,
        onClick: () => onCharset(name),
      })),
    },
  ]
  const party = <Party message={message} isFirst={view === 'crm'} />
  return (
    <>
      <header className="sb-mail-title">
        {onBack && (
          <Button type="text" icon={<ArrowLeftOutlined />} aria-label={texts.back} title={texts.back} onClick={onBack} />
        )}
        <h2>
          <bdi>{title}</bdi>
          {message.marks.map((mark) => (
            <Label key={mark} mark={marks.find((one) => one.id === mark)} />
          ))}
        </h2>
        <Button
          type="text"
          className="sb-mail-star"
          icon={starred ? <StarFilled /> : <StarOutlined />}
          aria-pressed={starred}
          aria-label={starred ? texts.unstar : texts.star}
          disabled={!mayWrite}
          onClick={() => void change.mark([id], { starred: !starred }, true)}
        />
      </header>
      <div className="sb-mail-actions">
        <Button type="primary" icon={<RollbackOutlined />} onClick={() => onWrite('reply', message)}>
          {texts.reply}
        </Button>
        <Button onClick={() => onWrite('replyAll', message)}>{texts.replyAll}</Button>
        <Button icon={<ShareAltOutlined />} onClick={() => onWrite('forward', message)}>
          {texts.forward}
        </Button>
        {mayWrite && (
          <span className="sb-mail-acts">
            {!isSpam && role !== 'archive' && (
              <Button
                type="text"
                icon={<FolderOutlined />}
                aria-label={texts.archive}
                title={texts.archive}
                onClick={() => onMove([id], 'archive')}
              />
            )}
            {role === 'inbox' && <Snooze isSnoozed={message.snoozedUntil !== null} onSnooze={(until) => onSnooze([id], until)} />}
            <Button
              type="text"
              icon={isSpam ? <InboxOutlined /> : <StopOutlined />}
              aria-label={isSpam ? texts.notSpam : texts.toSpam}
              title={isSpam ? texts.notSpam : texts.toSpam}
              onClick={() => onMove([id], isSpam ? 'inbox' : 'junk')}
            />
            {role !== 'trash' && (
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={texts.remove}
                title={texts.remove}
                onClick={() => onMove([id], 'trash')}
              />
            )}
          </span>
        )}
        <Dropdown trigger={['click']} menu={{ items }}>
          <Button type="text" icon={<MoreOutlined />} aria-label={texts.more} title={texts.more} />
        </Dropdown>
      </div>
      {message.snoozedUntil && (
        <p className="sb-mail-note">
          {texts.snoozedUntil(momentText(host, message.snoozedUntil))}
          {mayWrite && (
            <Button type="link" size="small" onClick={() => onSnooze([id], null)}>
              {texts.wake}
            </Button>
          )}
        </p>
      )}
      {view === 'crm' && party}
      <Head message={message} />
      <Receipt message={message} mayWrite={mayWrite} onChanged={onReload} />
      {box && box.kind !== 'personal' && <FollowBar message={message} people={people} mayWrite={mayWrite} onChanged={onReload} />}
      {message.charsetGuessed && !charset && <p className="sb-mail-note">{texts.guessed(message.charsetGuessed)}</p>}
      <Letter message={message} onTrust={onReload} onWhole={save} />
      <Files message={message} />
      {message.thread.length > 1 && <Thread message={message} onOpen={onOpen} />}
      {view === 'message' && party}
    </>
  )
}
