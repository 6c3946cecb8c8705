import { ArrowDownOutlined, ArrowUpOutlined, PaperClipOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { PortalLink } from '../../../runtime/page/PortalLink'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { PageButtons } from '../parts/PageButtons'
import { messageAddress, PAGE_SIZE } from '../parts/place'
import { mailTexts } from '../parts/texts'
import { shortMoment } from '../parts/when'

interface Dealing {
  id?: string
  accountId?: string
  at: string
  direction: 'in' | 'out'
  subject: string | null
  previewText?: string | null
  hasAttachment?: boolean | null
  staff: string | null
  open: boolean
}

/** Whom the mail was exchanged with: a customer, a supplier, or an address. */
export type PartyAsked = Readonly<Partial<Record<'customerId' | 'supplierId' | 'email', string>>>

interface DealingsListProps {
  party: PartyAsked
  keyword: string
  /** From 1. */
  page: number
  onAsk(asked: { keyword: string; page: number }): void
}

/** Mail with a party, newest first: one's own whole, of colleagues' that there was some. */
export const DealingsList = ({ party, keyword, page, onAsk }: DealingsListProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const call = useCall<{ list: readonly Dealing[]; total: number }>({
    method: 'POST',
    path: '/v2/emailbox/dealings/query',
    body: { ...party, page, size: PAGE_SIZE, ...(keyword ? { keyword } : {}) },
  })
  return (
    <section className="sb-mail-list" aria-label={texts.dealings}>
      <Input.Search
        allowClear
        defaultValue={keyword}
        placeholder={texts.search}
        aria-label={texts.search}
        onSearch={(word) => onAsk({ keyword: word.trim(), page: 1 })}
      />
      <Loaded call={call} rows={8}>
        {({ list, total }) =>
          list.length === 0 ? (
            <State role="status" title={keyword ? texts.nothingFound(keyword) : texts.noDealings} />
          ) : (
            <>
              <ul className="sb-mail-rows">
                {list.map((row, index) => (
                  <li key={row.id ?? `${row.at} ${index}`} className="sb-mail-row" data-closed={!row.open || undefined}>
                    <Line row={row} />
                  </li>
                ))}
              </ul>
              <PageButtons {...{ page, total }} onPage={(next) => onAsk({ keyword, page: next })} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const Line = ({ row }: { row: Dealing }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const { id, accountId, at, direction, staff } = row
  const way = direction === 'in' ? texts.in : texts.out
  const subject = row.subject || texts.noSubject
  const box = direction === 'out' ? 'sent' : 'inbox'
  return (
    <div className="sb-mail-dealing">
      <span className="sb-mail-way" title={way}>
        {direction === 'in' ? <ArrowDownOutlined role="img" aria-label={way} /> : <ArrowUpOutlined role="img" aria-label={way} />}
      </span>
      <span className="sb-mail-what">
        {row.open && id && accountId ? (
          <PortalLink address={messageAddress('message', { id, accountId, box })}>
            <bdi>{subject}</bdi>
          </PortalLink>
        ) : (
          <bdi title={texts.closedMail}>{subject}</bdi>
        )}
        {row.previewText && <span className="sb-mail-preview">{row.previewText}</span>}
      </span>
      <span className="sb-mail-signs">
        <bdi>{staff}</bdi>
      </span>
      <span className="sb-mail-side">
        {row.hasAttachment && <PaperClipOutlined role="img" aria-label={texts.hasFile} />}
        <time dateTime={at} title={momentText(host, at)}>
          {shortMoment(host, at)}
        </time>
      </span>
    </div>
  )
}
