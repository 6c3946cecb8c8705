import { Input } from 'antd'
import { useState } from 'react'
import { RemoteSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { useCall } from '../../../runtime/reading/useCall'
import { State } from '../../../runtime/state'
import { mailTexts } from '../parts/texts'
import { DealingsList } from './DealingsList'
import { PartyCard } from './PartyCard'

type Query = Readonly<Record<string, string | undefined>>

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
          <DealingsList
            {...{ party, page, keyword: q }}
            onAsk={(asked) => go({ ...party, q: asked.keyword, page: asked.page > 1 ? String(asked.page) : undefined })}
          />
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
