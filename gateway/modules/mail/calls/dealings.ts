import { tableOf } from '../../../entities'
import { can, ok, contextOf, ServiceError, type RequestContext } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { BASE, described, idSchema, likely, listSchema, textSchema, type ListRequest } from '../api'

interface Dealing
  extends
    Record<'id' | 'accountId' | 'at', string>,
    Record<'subject' | 'previewText' | 'senderEmail' | 'senderName' | 'staff', string | null> {
  direction: 'in' | 'out'
  receiverEmailList: unknown[]
  hasAttachment: boolean | null
}

interface Asked extends ListRequest, Partial<Record<'customerId' | 'supplierId' | 'email', string>> {
  period?: [string, string]
}

const PERIOD = { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', format: 'date-time' } } as const

/** Mail that the company exchanged with a party: that of one's own mailboxes whole, of colleagues' that there was some. */
export const call: ModuleCall = ({ app, engine, database }) => {
  const serve = (path: string, summary: string, properties: Record<string, object>): void => {
    const about = described(summary, listSchema({ ...properties, period: PERIOD }))
    app.post<{ Body: Asked }>(`${BASE}/${path}`, about, async (request) => ok(await dealings(contextOf(request), request.body)))
  }
  const party = { customerId: idSchema, supplierId: idSchema, email: textSchema(320) }
  serve('dealings/query', 'Mail with a party, named by id or address', party)
  serve('dealings/customer/query', 'Mail with a customer', { customerId: idSchema })
  serve('dealings/supplier/query', 'Mail with a supplier', { supplierId: idSchema })

  async function dealings(context: RequestContext, asked: Asked) {
    const { customerId, supplierId, email, period, keyword = '', page, size } = asked
    const party: readonly (readonly [string, string | undefined])[] = [
      ['crm.customer', customerId],
      ['srm.supplier', supplierId],
    ]
    for (const [entity, id] of party)
      if (id && (!engine.names().includes(entity) || (await engine.count(entity, context, { ids: [id] })) === 0))
        throw new ServiceError('notFound')
    if (!customerId && !supplierId && !email) throw new ServiceError('badRequest')
    const own = new Set((await accountsOf(database, context.user.staffId)).map(({ id }) => id))
    const mayRead = can(context, 'mail:dealings:content')
    // by an address alone nobody learns of a party that he may not see
    const isByAddress = !customerId && !supplierId
    const params = [
      ...[customerId ?? null, supplierId ?? null, email?.toLowerCase() ?? null, period?.[0] ?? null, period?.[1] ?? null],
      ...[likely(keyword), [...own], mayRead, isByAddress],
    ]
    const from = `from mail_message m join mail_account a on a.id = m.account_id left join ${tableOf('sys.staff')} s on s.id = a.owner_id
      join mail_folder f on f.id = m.folder_id and f.role not in ('junk', 'trash', 'drafts')
      where m.deleted_at is null and ($1::text is null or m.customer_id = $1) and ($2::text is null or m.supplier_id = $2)
        and ($3::text is null or lower(m.sender_email) = $3 or exists (select from jsonb_array_elements(m.receiver_email_list || coalesce(m.cc_email_list, '[]')) e where lower(e ->> 'email') = $3))
        and ($4::timestamptz is null or m.receive_time >= $4::timestamptz) and ($5::timestamptz is null or m.receive_time <= $5::timestamptz)
        and ($6 = '%%' or (case when m.account_id = any($7::text[]) or $8 then m.search_text else m.subject end) ilike $6) and (not $9 or $8 or m.account_id = any($7::text[]))`
    const { rows } = await database.query<Dealing>(
      `select m.id, m.account_id as "accountId", m.receive_time as at, m.direction, m.subject, m.preview_text as "previewText", m.sender_email as "senderEmail", m.sender_name as "senderName",
         coalesce(m.receiver_email_list, '[]') as "receiverEmailList", m.has_attachment as "hasAttachment", coalesce(s.name, a.display_name) as staff
       ${from} order by m.receive_time desc, m.id limit ${size} offset ${(page - 1) * size}`,
      params,
    )
    const { rows: counted } = await database.query<{ total: number }>(`select count(*)::int as total ${from}`, params)
    const list = rows.map((row) => {
      const { at, direction, subject, staff } = row
      return mayRead || own.has(row.accountId) ? { ...row, open: true } : { at, direction, subject, staff, open: false }
    })
    return { list, total: counted[0]?.total ?? 0, page, size }
  }
}
