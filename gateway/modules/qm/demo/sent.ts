import { createHash } from 'node:crypto'
import type { DemoRecord, DemoWorld } from '../../../demo'

const DAY = 86_400_000
/** Sheets that still show who got them. */
const SHEETS = 34
const LINK_DAYS = 90
/** What became of a quotation, in the order of the sheets, the latest first. */
const FATES = [
  'opened',
  'confirmed',
  'delivered',
  'confirmed',
  'opened',
  'disputed',
  'delivered',
  'confirmed',
  'sent',
  'opened',
] as const

/** Who got the last sheets and what became of them: recipients, mails, links. */
export function makeSent({ rows, now, random }: DemoWorld): void {
  const chance = random.fork('quotations sent')
  const customers = new Map((rows['crm.customer'] ?? []).map((customer) => [customer.id, customer]))
  const mailOf = new Map<unknown, string>()
  for (const { customerId, email } of rows['crm.contact'] ?? [])
    if (typeof email === 'string' && !mailOf.has(customerId)) mailOf.set(customerId, email)
  const held = new Set((rows['qm.customerRate'] ?? []).filter(({ status }) => status === 'held').map(({ sheetId }) => sheetId))
  const [recipients, links, mails] = ['qm.rateSheetRecipient', 'qm.quoteLink', 'qm.quoteMail'].map(
    (entity) => (rows[entity] ??= []),
  ) as [DemoRecord[], DemoRecord[], DemoRecord[]]
  const sent = (rows['qm.rateSheet'] ?? [])
    .filter(({ direction, status }) => direction === 'customer' && status === 'sent')
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  for (const [index, sheet] of sent.slice(0, SHEETS).entries()) {
    const customer = customers.get(String(sheet.customerId))
    const email = mailOf.get(sheet.customerId) ?? `rates@${String(sheet.customerId)}.example`
    const fate = held.has(sheet.id) ? 'bounced' : (FATES[index % FATES.length] ?? 'sent')
    const at = Date.parse(sheet.createdAt)
    const after = (hours: number): string => new Date(Math.min(at + hours * 3_600_000, now.getTime())).toISOString()
    const opened = ['opened', 'confirmed', 'disputed'].includes(fate)
    const opens = opened ? chance.integer(1, 5) : 0
    const number = String(index + 1).padStart(4, '0')
    const party = { customerId: sheet.customerId, accountId: sheet.accountId, sheetId: sheet.id }
    const stamp = { createdAt: sheet.createdAt, createdBy: sheet.createdBy }
    const expires = at + LINK_DAYS * DAY
    const linkStatus = index === 4 ? 'revoked' : expires <= now.getTime() ? 'expired' : 'active'
    recipients.push({
      ...{ ...stamp, ...party, id: `rr-${number}`, toEmails: email, language: 'zh-CN', timezone: sheet.timezone },
      ...{ currency: sheet.currency, status: fate, sentAt: after(0), retryCount: 0, linkId: `ql-${number}` },
      ...{
        openedAt: opened ? after(3) : null,
        openCount: opens,
        error: fate === 'bounced' ? '550 5.1.1 mailbox unavailable' : null,
      },
      ...(fate === 'confirmed' ? { confirmedAt: after(5), confirmedById: customer?.ownerId ?? null } : {}),
      dispute: fate === 'disputed' ? '客户认为美国全国价应与上月一致' : null,
    })
    links.push({
      ...{ ...stamp, ...party, id: `ql-${number}`, email, status: linkStatus, expiresAt: new Date(expires).toISOString() },
      tokenHash: createHash('sha256').update(`${number} ${chance.next()}`).digest('hex'),
      ...{ openCount: opens, lastOpenedAt: opened ? after(3 + opens) : null },
      ...(linkStatus === 'revoked' ? { revokedAt: after(30), revokeReason: '收件人已离职' } : {}),
    })
    mails.push({
      ...stamp,
      ...{ id: `qm-${number}`, at: after(0), direction: 'out', customerId: sheet.customerId, product: sheet.product },
      ...{ subject: `报价 ${String(sheet.code)}`, sheetId: sheet.id },
      ...{
        recipientId: `rr-${number}`,
        mailFrom: 'quotes@cloudbridge.example',
        mailTo: email,
        senderId: customer?.ownerId ?? null,
      },
      ...{ body: `<p>您好：</p><p>附件为报价单 ${String(sheet.code)}，请查收并确认。</p>`, status: fate, opens },
      bounceReason: fate === 'bounced' ? '550 5.1.1 mailbox unavailable' : null,
    })
  }
}
