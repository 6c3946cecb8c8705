import {
  CloseOutlined,
  DeleteOutlined,
  FolderOutlined,
  InboxOutlined,
  MailOutlined,
  MoreOutlined,
  StarOutlined,
  StopOutlined,
  TagOutlined,
} from '@ant-design/icons'
import { Button, Dropdown, Tooltip, type MenuProps } from 'antd'
import { Suspense, useState, type ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import type { Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Mailbox, Mark, Target } from '../parts/types'
import { Snooze } from '../parts/Snooze'
import type { Change, Marked } from '../parts/useChange'
import type { ShownList } from './useList'

const Transmit = lazyPart(() => import('./Transmit'), 'over')

interface BulkBarProps {
  place: Place
  boxes: readonly Mailbox[]
  marks: readonly Mark[]
  list: ShownList
  change: Change
  chosen: ReadonlySet<string>
  onChoose(ids: ReadonlySet<string>): void
  onMove(ids: readonly string[], to: Target, always?: boolean): void
  onSnooze(ids: readonly string[], until: string | null): void
}

/** What is done with the chosen messages; the whole of a list can be chosen where the calls take it whole. */
export const BulkBar = ({ place, boxes, marks, list, change, chosen, onChoose, onMove, onSnooze }: BulkBarProps) => {
  const texts = mailTexts[useHost().locale]
  const [passing, setPassing] = useState(false)
  const [whole, setWhole] = useState(false)
  const rows = list.rows?.filter(({ id }) => chosen.has(id)) ?? []
  const ids = [...chosen]
  const total = list.page?.total ?? 0
  const isSpam = place.box === 'spam'
  const role = boxes.flatMap(({ folders }) => folders).find(({ id }) => id === place.folder)?.role
  const mayTakeAll =
    place.box !== 'sent' && !list.page?.isMore && total > (list.rows?.length ?? 0) && rows.length === list.rows?.length
  const mark = (what: Marked): void => {
    const which = whole ? { box: isSpam ? ('junk' as const) : ('receive' as const), query: list.filter, count: total } : ids
    void change.mark(which, what).then((done) => done && onChoose(new Set()))
  }
  const unread = rows.some(({ seen }) => !seen)
  const labels: MenuProps['items'] =
    marks.length === 0
      ? [{ key: 'none', disabled: true, label: texts.noLabels }]
      : marks.map(({ id, name }) => {
          const on = rows.length > 0 && rows.every((row) => row.marks.includes(id))
          return { key: id, label: on ? `✓ ${name}` : name, onClick: () => void change.label(rows, id, !on) }
        })
  const more: MenuProps['items'] = [
    ...(role === 'trash' || role === 'archive'
      ? [{ key: 'inbox', icon: <InboxOutlined />, label: texts.toInbox, onClick: () => onMove(ids, 'inbox') }]
      : []),
    {
      key: 'always',
      icon: <StopOutlined />,
      label: isSpam ? texts.notSpamAlways : texts.toSpamAlways,
      onClick: () => onMove(ids, isSpam ? 'inbox' : 'junk', true),
    },
    { key: 'starred', icon: <StarOutlined />, label: texts.star, onClick: () => mark({ starred: true }) },
    { key: 'unstarred', icon: <StarOutlined />, label: texts.unstar, onClick: () => mark({ starred: false }) },
    { key: 'transmit', label: texts.transmit, onClick: () => setPassing(true) },
  ]
  return (
    <div className="sb-mail-bulk">
      <b>{texts.selected(whole ? total : chosen.size)}</b>
      {mayTakeAll && !whole && (
        <Button type="link" size="small" onClick={() => setWhole(true)}>
          {texts.takeAll(total)}
        </Button>
      )}
      <span className="sb-mail-acts">
        <Act icon={<MailOutlined />} label={unread ? texts.markRead : texts.markUnread} onClick={() => mark({ seen: unread })} />
        {!whole && (
          <>
            {!isSpam && <Act icon={<FolderOutlined />} label={texts.archive} onClick={() => onMove(ids, 'archive')} />}
            <Act
              icon={isSpam ? <InboxOutlined /> : <StopOutlined />}
              label={isSpam ? texts.notSpam : texts.toSpam}
              onClick={() => onMove(ids, isSpam ? 'inbox' : 'junk')}
            />
            <Act icon={<DeleteOutlined />} label={texts.remove} onClick={() => onMove(ids, 'trash')} />
            {place.box === 'inbox' && (role === undefined || role === 'inbox') && (
              <Snooze
                isSnoozed={rows.some(({ snoozedUntil }) => snoozedUntil !== null)}
                onSnooze={(until) => onSnooze(ids, until)}
              />
            )}
            <Dropdown trigger={['click']} menu={{ items: labels }}>
              <Button type="text" icon={<TagOutlined />} aria-label={texts.labels} title={texts.labels} />
            </Dropdown>
            <Dropdown trigger={['click']} menu={{ items: more }}>
              <Button type="text" icon={<MoreOutlined />} aria-label={texts.more} title={texts.more} />
            </Dropdown>
          </>
        )}
        <Act icon={<CloseOutlined />} label={texts.clear} onClick={() => onChoose(new Set())} />
      </span>
      {passing && (
        <Suspense fallback={null}>
          <Transmit
            ids={ids}
            boxes={boxes}
            onClose={(done) => {
              setPassing(false)
              if (done) onChoose(new Set())
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const Act = ({ icon, label, onClick }: { icon: ReactNode; label: string; onClick(): void }) => (
  <Tooltip title={label}>
    <Button type="text" icon={icon} aria-label={label} onClick={onClick} />
  </Tooltip>
)
