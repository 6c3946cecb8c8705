import { DeleteOutlined, PaperClipOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect } from 'react'
import { onChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { PageButtons } from '../parts/PageButtons'
import { bare, PAGE_SIZE, writeAddress, type Place } from '../parts/place'
import { mailTexts } from '../parts/texts'
import type { Draft, View } from '../parts/types'
import type { Change } from '../parts/useChange'
import { MAIL } from '../parts/useMailboxes'
import { shortMoment } from '../parts/when'

interface DraftListProps {
  view: View
  place: Place
  change: Change
  onGo(place: Place): void
}

/** Drafts, and mail that waits for its time; each opens where it is written. */
export const DraftList = ({ view, place, change, onGo }: DraftListProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const call = useCall<{ list: readonly Draft[]; total: number }>({
    method: 'POST',
    path: '/v2/emailbox/draft/query',
    body: { page: place.page, size: PAGE_SIZE, ...(place.q ? { keyword: place.q } : {}) },
  })
  const { reload } = call
  useEffect(() => onChanged(MAIL, reload), [reload])
  const remove = async (id: string): Promise<void> => {
    const sure = await host.confirm({
      title: texts.confirmDrafts(1),
      content: texts.draftsForGood,
      danger: true,
      okText: texts.remove,
    })
    if (sure) await change.dropDrafts([id])
  }
  return (
    <Loaded call={call} rows={8}>
      {({ list, total }) =>
        list.length === 0 ? (
          place.q ? (
            <State role="status" title={texts.nothingFound(place.q)} text={texts.nothingFoundText}>
              <Button onClick={() => onGo(bare(place))}>{texts.clearFilters}</Button>
            </State>
          ) : (
            <State role="status" title={texts.empty.drafts} text={texts.emptyText.drafts} />
          )
        ) : (
          <>
            <ul className="sb-mail-rows sb-mail-drafts">
              {list.map((draft) => {
                const to = draft.to.map(({ email, name }) => name || email).join(', ')
                const at = draft.timingTime ?? draft.updatedAt
                const exact = momentText(host, at)
                const address = writeAddress(view, { draftId: draft.id })
                return (
                  <li key={draft.id} className="sb-mail-row" data-id={draft.id}>
                    <a
                      href={address}
                      onClick={(event) => {
                        if (event.ctrlKey || event.metaKey || event.shiftKey) return
                        event.preventDefault()
                        host.navigate(address)
                      }}
                    >
                      <span className="sb-mail-who">
                        <bdi>{texts.toWhom(to || '—')}</bdi>
                      </span>
                      <span className="sb-mail-what">
                        <bdi className="sb-mail-subject">{draft.subject || texts.noSubject}</bdi>
                      </span>
                      {draft.timed && (
                        <span className="sb-mail-signs">
                          <span className="sb-tag sb-tag-blue">{texts.timed(exact)}</span>
                        </span>
                      )}
                      <span className="sb-mail-side">
                        {draft.attachments.length > 0 && <PaperClipOutlined role="img" aria-label={texts.hasFile} />}
                        <time dateTime={at} title={draft.timed ? texts.timed(exact) : texts.saved(exact)}>
                          {shortMoment(host, at)}
                        </time>
                      </span>
                    </a>
                    <Button
                      type="text"
                      icon={<DeleteOutlined />}
                      aria-label={texts.remove}
                      title={texts.remove}
                      onClick={() => void remove(draft.id)}
                    />
                  </li>
                )
              })}
            </ul>
            {total > PAGE_SIZE && <PageButtons page={place.page} total={total} onPage={(page) => onGo({ ...place, page })} />}
          </>
        )
      }
    </Loaded>
  )
}
