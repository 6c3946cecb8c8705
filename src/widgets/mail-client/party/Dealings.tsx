import { ArrowDownOutlined, ArrowUpOutlined, PaperClipOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { RemoteSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { messageAddress, PAGE_SIZE } from '../parts/place'
import { mailTexts } from '../parts/texts'
import { shortMoment } from '../parts/when'
import { PartyCard } from './PartyCard'
import { PortalLink } from '../../../runtime/page/PortalLink'

type Query = Readonly<Record<string, string | undefined>>

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

const PATH = '/message/email/vce'

/** What all mailboxes of the company exchanged with a party: one's own whole, of colleagues that there was some. */
export const Dealings = ({ query }: { query: Query }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const { customerId, supplierId, email, q = '' } = query
  const [typed, setTyped] = useState(email ?? '')
  const page = Math.max(1, Number(query['page']) || 1)
  const go = (next: Query): void => {
    const given = Object.entries(next).flatMap(([name, value]) => (value ? [[name, value]] : []))
    host.navigate(`${PATH}?${new URLSearchParams(given).toString()}`, { replace: true })
  }
  const party = customerId ? { customerId } : supplierId ? { supplierId } : email ? { email } : null
  const call = useCall<{ list: readonly Dealing[]; total: number }>(
    party && {
      method: 'POST',
      path: '/v2/emailbox/dealings/query',
      body: { ...party, page, size: PAGE_SIZE, ...(q ? { keyword: q } : {}) },
    },
  )
  const known = useCall<{ record: { id: string; code: string; name: string; ownerId?: string | null }; refs: Refs }>(
    customerId ? { method: 'GET', path: `/v2/crm/customer/view/${encodeURIComponent(customerId)}` } : null,
  )
  const customer = known.data && {
    ...known.data.record,
    ownerName: known.data.refs['sys.staff']?.[known.data.record.ownerId ?? '']?.title ?? null,
  }
  return (
    <div className="sb-mail-dealings">
      <header className="sb-mail-head">
        <h1>{texts.dealings}</h1>
      </header>
      <p className="sb-mail-note">{texts.dealingsHelp}</p>
      <search className="sb-mail-asked">
        <RemoteSelect
          host={host}
          path="/v2/crm/customer"
          allowClear
          placeholder={texts.customer}
          aria-label={texts.customer}
          value={customerId ? [customerId] : []}
          titleOf={() => customer?.name}
          onChange={([id]) => go({ customerId: id })}
        />
        <RemoteSelect
          host={host}
          path="/v2/srm/supplier"
          allowClear
          placeholder={texts.supplier}
          aria-label={texts.supplier}
          value={supplierId ? [supplierId] : []}
          onChange={([id]) => go({ supplierId: id })}
        />
        <Input.Search
          aria-label={texts.byEmail}
          placeholder={texts.byEmail}
          value={typed}
          enterButton={texts.look}
          onChange={({ target }) => setTyped(target.value)}
          onSearch={(value) => value.trim() && go({ email: value.trim() })}
        />
      </search>
      {!party && <State role="status" title={texts.chooseParty} />}
      {party && (
        <div className="sb-mail-both">
          <section className="sb-mail-list" aria-label={texts.dealings}>
            <Input.Search
              allowClear
              defaultValue={q}
              placeholder={texts.search}
              aria-label={texts.search}
              onSearch={(word) => go({ ...party, q: word.trim() })}
            />
            <Loaded call={call} rows={8}>
              {({ list, total }) =>
                list.length === 0 ? (
                  <State role="status" title={q ? texts.nothingFound(q) : texts.noDealings} />
                ) : (
                  <>
                    <ul className="sb-mail-rows">
                      {list.map((row, index) => (
                        <li key={row.id ?? `${row.at} ${index}`} className="sb-mail-row" data-closed={!row.open || undefined}>
                          <Line row={row} />
                        </li>
                      ))}
                    </ul>
                    <div className="sb-mail-pages">
                      {texts.page((page - 1) * PAGE_SIZE + 1, Math.min(page * PAGE_SIZE, total), total)}
                      {total > PAGE_SIZE && (
                        <>
                          <Button disabled={page === 1} onClick={() => go({ ...party, q, page: String(page - 1) })}>
                            {texts.newer}
                          </Button>
                          <Button
                            disabled={page * PAGE_SIZE >= total}
                            onClick={() => go({ ...party, q, page: String(page + 1) })}
                          >
                            {texts.older}
                          </Button>
                        </>
                      )}
                    </div>
                  </>
                )
              }
            </Loaded>
          </section>
          {(customer !== null || supplierId !== undefined) && (
            <aside className="sb-mail-party" aria-label={texts.card}>
              <PartyCard key={customerId ?? supplierId} customer={customer} supplierId={supplierId ?? null} isWhole />
            </aside>
          )}
        </div>
      )}
    </div>
  )
}

type Refs = Readonly<Record<string, Readonly<Record<string, { title: string }>>>>

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
