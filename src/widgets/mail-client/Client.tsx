import { MenuOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useFillingHeight } from '../../runtime/list/useFillingHeight'
import { useHost } from '../../runtime/hostContext'
import { usePhone } from '../../runtime/media'
import { Folders } from './folders/Folders'
import { DraftList } from './list/DraftList'
import { KeyHelp } from './list/KeyHelp'
import { MessageList } from './list/MessageList'
import { SearchBar } from './list/SearchBar'
import { useList } from './list/useList'
import { addressOf, bare, type Place } from './parts/place'
import { mailTexts } from './parts/texts'
import type { Mailbox, Mark, Message, Person, Target, View } from './parts/types'
import { useChange } from './parts/useChange'
import { useKeys } from './parts/useKeys'
import { useReading } from './parts/useReading'
import { useWriting } from './parts/useWriting'
import { Reader } from './read/Reader'

interface ClientProps {
  view: View
  place: Place
  boxes: readonly Mailbox[]
  marks: readonly Mark[]
  people: readonly Person[]
}

/** Folders, list and message beside each other; on a phone one after the other. Where one stands is in the address. */
export const Client = ({ view, place, boxes, marks, people }: ClientProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const phone = usePhone()
  const [reading, setReading] = useReading()
  const [frame] = useFillingHeight(false, false)
  const root = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [menu, setMenu] = useState(false)
  const [help, setHelp] = useState(false)
  const change = useChange()
  const list = useList(place, reading.conversations)
  const { rows } = list
  const scope = addressOf(view, { ...place, id: undefined })
  const [chosen, setChosen] = useState<{ scope: string; ids: ReadonlySet<string> }>({ scope, ids: new Set() })
  const ids = useMemo(() => (chosen.scope === scope ? chosen.ids : new Set<string>()), [chosen, scope])
  const choose = useCallback((next: ReadonlySet<string>) => setChosen({ scope, ids: next }), [scope])

  const go = useCallback(
    (next: Place): void => {
      setMenu(false)
      const isHere = next.box === place.box || view === 'crm'
      host.navigate(addressOf(view, next), isHere ? { replace: true } : {})
    },
    [host, place.box, view],
  )
  const open = useCallback((id: string | undefined) => go({ ...place, id }), [go, place])
  const opened = place.id === undefined ? undefined : rows?.find(({ id }) => id === place.id)
  const step = useCallback(
    (by: 1 | -1): void => {
      if (!rows || rows.length === 0) return
      const at = rows.findIndex(({ id }) => id === place.id)
      const next = at === -1 ? rows[by === 1 ? 0 : rows.length - 1] : rows[at + by]
      if (next) open(next.id)
    },
    [open, place.id, rows],
  )
  /** What goes out of the list leaves the reading pane to the message behind it. */
  const leave = useCallback(
    (which: readonly string[], done: () => Promise<boolean>): void => {
      const at = rows?.findIndex(({ id }) => id === place.id) ?? -1
      const isOpen = place.id !== undefined && which.includes(place.id)
      const rest = [...(rows?.slice(at + 1) ?? []), ...(rows?.slice(0, Math.max(at, 0)).reverse() ?? [])]
      const next = phone ? undefined : rest.find(({ id }) => !which.includes(id))?.id
      void done().then((isDone) => {
        if (!isDone) return
        choose(new Set())
        if (isOpen) open(next)
      })
    },
    [choose, open, phone, place.id, rows],
  )
  const move = useCallback(
    (which: readonly string[], to: Target, always?: boolean): void => leave(which, () => change.move(which, to, always)),
    [change, leave],
  )
  const snooze = useCallback(
    (which: readonly string[], snoozedUntil: string | null): void => leave(which, () => change.mark(which, { snoozedUntil })),
    [change, leave],
  )
  const writing = useWriting(view)
  const write = useCallback(
    (kind: string, message: Pick<Message, 'id' | 'accountId'>) =>
      writing({ kind, messageId: message.id, accountId: message.accountId }),
    [writing],
  )

  const keys = useMemo(() => {
    const targets = ids.size > 0 ? [...ids] : place.id === undefined ? [] : [place.id]
    const answer = (kind: string) => (): void => {
      if (opened) write(kind, opened)
    }
    return {
      j: () => step(1),
      k: () => step(-1),
      o: () => (opened ? root.current?.querySelector<HTMLElement>('.sb-mail-read')?.focus() : step(1)),
      x: () => {
        if (place.id === undefined) return
        const next = new Set(ids)
        if (!next.delete(place.id)) next.add(place.id)
        choose(next)
      },
      r: answer('reply'),
      a: answer('replyAll'),
      f: answer('forward'),
      b: () => root.current?.querySelector<HTMLElement>('[data-snooze]')?.click(),
      e: () => targets.length > 0 && move(targets, 'archive'),
      '#': () => targets.length > 0 && move(targets, 'trash'),
      s: () => {
        const [first] = targets
        const isStarred = rows?.find(({ id }) => id === first)?.starred ?? false
        if (targets.length > 0) void change.mark(targets, { starred: !isStarred })
      },
      u: () => open(undefined),
      '/': () => search.current?.focus(),
      '?': () => setHelp(true),
    }
  }, [change, choose, ids, move, open, opened, place.id, rows, step, write])
  useKeys(keys, root)

  const account = boxes.find(({ id }) => id === place.account)
  const folder = boxes.flatMap(({ folders }) => folders).find(({ id }) => id === place.folder)
  const named = place.later ? texts.later : texts.boxes[place.box]
  const here = folder ? (folder.role === 'other' ? folder.path : texts.roles[folder.role]) : named
  const isReading = place.id !== undefined && place.box !== 'drafts'
  const folders = (
    <Folders
      view={view}
      place={place}
      boxes={boxes}
      onGo={go}
      onDrop={(which, to) => move(which, to)}
      onWrite={() => writing({ accountId: place.account })}
    />
  )
  const reader = isReading && (
    <Reader
      key={place.id}
      id={place.id!}
      row={opened}
      view={view}
      boxes={boxes}
      marks={marks}
      people={people}
      change={change}
      onMove={move}
      onSnooze={snooze}
      onWrite={write}
      onOpen={open}
      {...(phone || reading.pane === 'off' ? { onBack: () => open(undefined) } : {})}
    />
  )
  const alone = isReading && (phone || reading.pane === 'off')
  return (
    <div ref={root} className="sb-mail-client">
      <div ref={frame} className="sb-mail-frame" data-pane={phone ? 'off' : reading.pane}>
        {phone ? (
          <Drawer placement="left" width={300} open={menu} onClose={() => setMenu(false)} title={texts.folders}>
            {folders}
          </Drawer>
        ) : (
          folders
        )}
        {!alone && (
          <section className="sb-mail-list" aria-label={texts.list}>
            <header className="sb-mail-head">
              {phone && <Button icon={<MenuOutlined />} aria-label={texts.folders} onClick={() => setMenu(true)} />}
              <h1>
                {here}
                {account && <small>{account.address}</small>}
              </h1>
            </header>
            <SearchBar
              key={scope}
              input={search}
              place={place}
              marks={marks}
              isPlain={place.box === 'drafts'}
              onGo={go}
              onClear={() => go(bare(place))}
            />
            {place.box === 'drafts' ? (
              <DraftList view={view} place={place} change={change} onGo={go} />
            ) : (
              <MessageList
                {...{ view, place, boxes, marks, people, list, change, reading }}
                chosen={ids}
                onChoose={choose}
                onGo={go}
                onOpen={open}
                onMove={move}
                onSnooze={snooze}
                onReading={setReading}
              />
            )}
          </section>
        )}
        {alone
          ? reader
          : !phone &&
            reading.pane !== 'off' &&
            place.box !== 'drafts' &&
            (reader || (
              <div className="sb-mail-choose">
                <p>{texts.choose}</p>
                <p>{texts.chooseText}</p>
              </div>
            ))}
      </div>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  )
}
