import '../../../runtime/cell/cell.css'
import { useState, type ReactNode } from 'react'
import { Button } from 'antd'
import { showNumber } from '../../../schema/formats'
import { useHost } from '../../../runtime/hostContext'
import { dayText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'
import { PortalLink } from '../../../runtime/page/PortalLink'

interface PartyCardProps {
  customer: Message['customer']
  supplierId: string | null
  /** Its opportunities, quotes and bills stand there at once. */
  isWhole: boolean
}

interface Records<T> {
  records: readonly T[]
}
interface Supplier {
  record: { id: string; code: string; name: string; ownerId?: string | null }
  refs: Readonly<Record<string, Readonly<Record<string, { title: string }>>>>
}
interface Opportunity {
  id: string
  name: string
  amount: string | null
  currency: string | null
}
interface Sheet {
  id: string
  code: string
  subject: string | null
  sentAt: string | null
  effectiveFrom: string | null
}
interface Bill {
  id: string
  code: string
  openAmount: string
  currency: string
  dueDate: string | null
  overdueDays: number | null
}

const SHOWN = 3

/** A customer or supplier in a few lines; each part only where the reader may see it. */
export const PartyCard = ({ customer, supplierId, isWhole }: PartyCardProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [open, setOpen] = useState(isWhole)
  const found = useCall<Supplier>(
    supplierId ? { method: 'GET', path: `/v2/srm/supplier/view/${encodeURIComponent(supplierId)}` } : null,
  )
  const supplier = found.data?.record
  const party = customer ?? supplier
  if (!party) return null
  const address = customer
    ? `/crm/client-partner/my-client/details?id=${encodeURIComponent(party.id)}`
    : `/srm/supplier/my-supplier/details?id=${encodeURIComponent(party.id)}`
  const owner = customer ? customer.ownerName : found.data?.refs['sys.staff']?.[supplier?.ownerId ?? '']?.title
  return (
    <div className="sb-mail-card">
      <p>
        <span className="sb-mail-label">{customer ? texts.customer : texts.supplier}</span>
        <PortalLink address={address}>
          <bdi>{party.name}</bdi>
        </PortalLink>
        <span className="sb-code">{party.code}</span>
        {owner && (
          <span>
            {texts.owner}: <bdi>{owner}</bdi>
          </span>
        )}
        {!isWhole && (
          <Button type="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {texts.details}
          </Button>
        )}
      </p>
      {open && (
        <div className="sb-mail-parts">
          {customer && host.canOpen('/crm/BODetail') && <Opportunities customerId={customer.id} />}
          <Sheets field={customer ? 'customerId' : 'supplierId'} id={party.id} />
          {customer && host.canOpen('/financial/account/details/bill') && <Bills customerId={customer.id} />}
        </div>
      )}
    </div>
  )
}

const Part = <T extends { id: string }>({
  title,
  list,
  children,
}: {
  title: string
  list: readonly T[] | undefined
  children(one: T): ReactNode
}) => {
  const texts = mailTexts[useHost().locale]
  if (!list) return null
  return (
    <section>
      <h4>{title}</h4>
      {list.length === 0 ? (
        <p className="sb-mail-note">{texts.none}</p>
      ) : (
        <ul>
          {list.map((one) => (
            <li key={one.id}>{children(one)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const useRecords = <T,>(path: string, where: readonly object[], sort: string): readonly T[] | undefined =>
  useCall<Records<T>>({
    method: 'POST',
    path: `${path}/queryPage`,
    body: { pageSize: SHOWN, where, sort: [{ field: sort, order: 'desc' }] },
  }).data?.records

const Opportunities = ({ customerId }: { customerId: string }) => {
  const host = useHost()
  const list = useRecords<Opportunity>(
    '/v2/crm/opportunity',
    [
      { field: 'customerId', operator: 'eq', value: customerId },
      { field: 'stage', operator: 'notIn', value: ['won', 'lost'] },
    ],
    'updatedAt',
  )
  return (
    <Part title={mailTexts[host.locale].opportunities} list={list}>
      {({ id, name, amount, currency }) => (
        <>
          <PortalLink address={`/crm/BODetail?id=${encodeURIComponent(id)}`}>
            <bdi>{name}</bdi>
          </PortalLink>
          {amount && (
            <span className="sb-number">
              {showNumber(amount, host.locale)} {currency}
            </span>
          )}
        </>
      )}
    </Part>
  )
}

const Sheets = ({ field, id }: { field: string; id: string }) => {
  const host = useHost()
  const list = useRecords<Sheet>('/v2/qm/rateSheet', [{ field, operator: 'eq', value: id }], 'createdAt')
  return (
    <Part title={mailTexts[host.locale].quotes} list={list}>
      {({ id: sheetId, code, sentAt, effectiveFrom }) => (
        <>
          <PortalLink
            address={`/offerManage/quote-query/${field === 'customerId' ? 'customer' : 'supplier'}/detail?id=${encodeURIComponent(sheetId)}`}
          >
            <span className="sb-code">{code}</span>
          </PortalLink>
          <span>{sentAt ? dayText(host, sentAt) : effectiveFrom ? dayText(host, effectiveFrom) : ''}</span>
        </>
      )}
    </Part>
  )
}

const Bills = ({ customerId }: { customerId: string }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const list = useRecords<Bill>(
    '/v2/fin/bill',
    [
      { field: 'customerId', operator: 'eq', value: customerId },
      { field: 'status', operator: 'in', value: ['issued', 'partPaid', 'disputed'] },
    ],
    'dueDate',
  )
  return (
    <Part title={texts.bills} list={list}>
      {({ id, code, openAmount, currency, dueDate, overdueDays }) => (
        <>
          <PortalLink address={`/financial/account/details/bill?id=${encodeURIComponent(id)}`}>
            <span className="sb-code">{code}</span>
          </PortalLink>
          <span className="sb-number">
            {showNumber(openAmount, host.locale)} {currency}
          </span>
          {(overdueDays ?? 0) > 0 ? (
            <span className="sb-mail-late">{texts.overdue(overdueDays ?? 0)}</span>
          ) : (
            dueDate && <span>{texts.due(dueDate)}</span>
          )}
        </>
      )}
    </Part>
  )
}
