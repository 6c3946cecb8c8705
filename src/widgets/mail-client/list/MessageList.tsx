import { ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Dropdown } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { FailureState } from '../../../runtime/reading/FailureState'
import { tellFailure } from '../../../runtime/reading/tell'
import { Skeleton, State } from '../../../runtime/state'
import { PageButtons } from '../parts/PageButtons'
import { bare, isNarrowed, type Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Mailbox, Mark, Person, Target, View } from '../parts/types'
import type { Change } from '../parts/useChange'
import type { Reading } from '../parts/useReading'
import { BulkBar } from './BulkBar'
import { searchedFor } from './chips'
import { MessageRow } from './MessageRow'
import type { ShownList } from './useList'

interface MessageListProps {
  view: View
  place: Place
  boxes: readonly Mailbox[]
  marks: readonly Mark[]
  people: readonly Person[]
  list: ShownList
  change: Change
  reading: Reading
  chosen: ReadonlySet<string>
  onChoose(ids: ReadonlySet<string>): void
  onGo(place: Place): void
  onOpen(id: string): void
  onMove(ids: readonly string[], to: Target, always?: boolean): void
  onSnooze(ids: readonly string[], until: string | null): void
  onReading(reading: Reading): void
}

const PANES = ['right', 'below', 'off'] as const

/** A page of messages with what can be done with those that are chosen. */
export const MessageList = (props: MessageListProps) => {
  const { view, place, boxes, marks, people, list, change, reading, chosen } = props
  const { onChoose, onGo, onOpen, onMove, onSnooze, onReading } = props
  const host = useHost()
  const texts = mailTexts[host.locale]
  const { rows, page, failure } = list
  const addressOfBox = (id: string): string => boxes.find((box) => box.id === id)?.address ?? id
  const refresh = (): void => {
    host
      .request({ method: 'POST', path: '/v2/emailbox/receive/sync', body: place.account ? { accountIds: [place.account] } : {} })
      .catch((error: unknown) => tellFailure(host, error, 'mail.client sync'))
    list.reload()
  }
  if (failure && !rows) return <FailureState failure={failure} onRetry={list.reload} />
  const total = page?.total ?? 0
  const all = rows !== null && rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  const toggle = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return (
    <>
      <div className="sb-mail-tools">
        <Checkbox
          aria-label={texts.selectAll}
          checked={all}
          indeterminate={!all && chosen.size > 0}
          disabled={!rows || rows.length === 0}
          onChange={() => onChoose(all ? new Set() : new Set(rows?.map(({ id }) => id)))}
        />
        {chosen.size > 0 ? (
          <BulkBar {...{ place, boxes, marks, list, change, chosen, onChoose, onMove, onSnooze }} />
        ) : (
          <>
            <Button type="text" icon={<ReloadOutlined />} aria-label={texts.refresh} title={texts.refresh} onClick={refresh} />
            <Dropdown
              trigger={['click']}
              menu={{
                selectable: true,
                multiple: true,
                selectedKeys: [reading.pane, ...(reading.conversations ? ['conversations'] : [])],
                items: [
                  {
                    type: 'group',
                    label: texts.pane,
                    children: PANES.map((pane) => ({
                      key: pane,
                      label: texts.panes[pane],
                      onClick: () => onReading({ ...reading, pane }),
                    })),
                  },
                  { type: 'divider' },
                  {
                    key: 'conversations',
                    label: texts.conversations,
                    onClick: () => onReading({ ...reading, conversations: !reading.conversations }),
                  },
                ],
              }}
            >
              <Button type="text" icon={<SettingOutlined />} aria-label={texts.settings} title={texts.settings} />
            </Dropdown>
            {total > 0 && (
              <PageButtons
                {...{ total, page: place.page, isMore: page?.isMore ?? false }}
                onPage={(next) => onGo({ ...place, page: next })}
              />
            )}
          </>
        )}
      </div>
      {page?.failed.map(({ accountId, reason }) => (
        <Alert key={accountId} type="warning" showIcon banner message={texts.failedFor(addressOfBox(accountId), reason)} />
      ))}
      {page?.searching && <Alert type="info" showIcon banner message={texts.searching} />}
      {!rows && <Skeleton rows={10} columns={1} rowHeight={64} label={texts.list} />}
      {rows?.length === 0 &&
        (isNarrowed(place) ? (
          <State
            role="status"
            title={texts.nothingFound(searchedFor(place, texts, marks))}
            text={page?.searching ? texts.searching : texts.nothingFoundText}
          >
            <Button onClick={() => onGo(bare(place))}>{texts.clearFilters}</Button>
          </State>
        ) : (
          <State
            role="status"
            title={place.later ? texts.noneLater : texts.empty[place.box]}
            text={place.later ? texts.noneLaterText : texts.emptyText[place.box]}
          />
        ))}
      {rows !== null && rows.length > 0 && (
        <ul className="sb-mail-rows" aria-busy={list.isOld || undefined}>
          {rows.map((row) => (
            <MessageRow
              key={row.id}
              {...{ row, view, place, marks, people, change }}
              count={list.together.get(row.id) ?? 1}
              isOpen={row.id === place.id}
              isChosen={chosen.has(row.id)}
              dragged={chosen.has(row.id) ? [...chosen] : [row.id]}
              isShared={boxes.some(({ id, kind }) => id === row.accountId && kind !== 'personal')}
              mayWrite={boxes.some(({ id, right }) => id === row.accountId && right !== 'read')}
              onToggle={toggle}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
    </>
  )
}
