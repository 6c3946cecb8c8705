import {
  ClockCircleOutlined,
  DeleteOutlined,
  EditOutlined,
  FileTextOutlined,
  FolderOutlined,
  InboxOutlined,
  SendOutlined,
  StarOutlined,
  StopOutlined,
} from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { addressOf, type Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Box, Mailbox, Target, View } from '../parts/types'
import { DRAGGED } from '../list/dragged'

interface FoldersProps {
  view: View
  place: Place
  boxes: readonly Mailbox[]
  onGo(place: Place): void
  onDrop(ids: readonly string[], to: Target): void
  onWrite(): void
}

type Folder = Mailbox['folders'][number]

const ICONS: Readonly<Record<Box, ReactNode>> = {
  inbox: <InboxOutlined />,
  star: <StarOutlined />,
  spam: <StopOutlined />,
  sent: <SendOutlined />,
  drafts: <FileTextOutlined />,
}
const BOXES: readonly Box[] = ['inbox', 'star', 'spam', 'sent', 'drafts']
const BOX_OF: Readonly<Partial<Record<Folder['role'], Box>>> = { inbox: 'inbox', junk: 'spam', sent: 'sent' }
const TARGETS: Readonly<Partial<Record<Folder['role'] | Box, Target>>> = {
  inbox: 'inbox',
  junk: 'junk',
  spam: 'junk',
  trash: 'trash',
  archive: 'archive',
}
const ORDER: readonly Folder['role'][] = ['inbox', 'sent', 'archive', 'junk', 'trash', 'other']

/** All mailboxes as one, then each with its folders; counts are what is unread. Messages are dropped on a folder. */
export const Folders = ({ view, place, boxes, onGo, onDrop, onWrite }: FoldersProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const unreadOf = (role: Folder['role']): number =>
    boxes.flatMap(({ folders }) => folders).reduce((sum, folder) => sum + (folder.role === role ? folder.unread : 0), 0)
  const counts: Readonly<Partial<Record<Box, number>>> = { inbox: unreadOf('inbox'), spam: unreadOf('junk') }
  return (
    <nav className="sb-mail-folders" aria-label={texts.folders}>
      <Button type="primary" block icon={<EditOutlined />} onClick={onWrite}>
        {texts.write}
      </Button>
      <ul>
        {BOXES.map((box) => (
          <Entry
            key={box}
            view={view}
            to={{ box, page: 1 }}
            icon={ICONS[box]}
            name={texts.boxes[box]}
            count={counts[box] ?? 0}
            isHere={place.box === box && !place.account && !place.folder && !place.later}
            target={TARGETS[box]}
            onGo={onGo}
            onDrop={onDrop}
          />
        ))}
        <Entry
          view={view}
          to={{ box: 'inbox', page: 1, later: true }}
          icon={<ClockCircleOutlined />}
          name={texts.later}
          count={0}
          isHere={place.later === true}
          target={undefined}
          onGo={onGo}
          onDrop={onDrop}
        />
      </ul>
      {boxes.map((mailbox) => (
        <section key={mailbox.id}>
          <h2>
            <Tooltip title={mailbox.state === 'failing' ? mailbox.syncError : mailbox.address}>
              <span>{mailbox.displayName || mailbox.address}</span>
            </Tooltip>
            {mailbox.state === 'failing' && <span className="sb-mail-warn">!</span>}
          </h2>
          <ul>
            {ORDER.flatMap((role) =>
              mailbox.folders
                .filter((folder) => folder.role === role)
                .map((folder) => {
                  const box = BOX_OF[role]
                  const to: Place = box
                    ? { box, page: 1, account: mailbox.id }
                    : { box: 'inbox', page: 1, account: mailbox.id, folder: folder.id }
                  return (
                    <Entry
                      key={folder.id}
                      view={view}
                      to={to}
                      icon={box ? ICONS[box] : role === 'trash' ? <DeleteOutlined /> : <FolderOutlined />}
                      name={role === 'other' ? folder.path : texts.roles[role]}
                      count={role === 'sent' || role === 'trash' ? 0 : folder.unread}
                      isHere={
                        place.account === mailbox.id && (box ? place.box === box && !place.folder : place.folder === folder.id)
                      }
                      target={TARGETS[role]}
                      onGo={onGo}
                      onDrop={onDrop}
                    />
                  )
                }),
            )}
          </ul>
        </section>
      ))}
    </nav>
  )
}

interface EntryProps {
  view: View
  to: Place
  icon: ReactNode
  name: string
  count: number
  isHere: boolean
  target: Target | undefined
  onGo(place: Place): void
  onDrop(ids: readonly string[], to: Target): void
}

const Entry = ({ view, to, icon, name, count, isHere, target, onGo, onDrop }: EntryProps) => {
  const texts = mailTexts[useHost().locale]
  const [over, setOver] = useState(false)
  const drag = (event: DragEvent): void => {
    if (!target || !event.dataTransfer.types.includes(DRAGGED)) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    setOver(false)
    const dragged = event.dataTransfer.getData(DRAGGED)
    if (!target || dragged === '') return
    event.preventDefault()
    onDrop(JSON.parse(dragged) as string[], target)
  }
  return (
    <li>
      <a
        href={addressOf(view, to)}
        className={over ? 'sb-mail-folder sb-mail-over' : 'sb-mail-folder'}
        aria-current={isHere ? 'page' : undefined}
        aria-label={count > 0 ? texts.unreadIn(name, count) : undefined}
        onDragOver={drag}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onGo(to)
        }}
      >
        <span className="sb-mail-icon" aria-hidden>
          {icon}
        </span>
        <span className="sb-mail-name">{name}</span>
        {count > 0 && <b>{count}</b>}
      </a>
    </li>
  )
}
