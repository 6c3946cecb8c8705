import type { DemoRecord } from '../../../demo'
import { addDays, dayOf, instantAt } from '../../../platform/calendar'
import { buyersOf, iso, put, type SrmChapter } from './suppliers'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Transfers by what became of them, and how many hours ago they were sent; the first one lapses today at 18:00. */
const TRANSFERS = [
  ['pending', 20],
  ['rejected', 130],
  ['expired', 220],
  ['cancelled', 400],
] as const
/** Shares by state; the first one ends with today. */
const SHARES = ['accepted', 'accepted', 'pending', 'accepted', 'ended', 'accepted'] as const

/** Transfers and shares between buyers, of suppliers that nobody has handed on since. */
export function makeHandovers(chapter: SrmChapter): void {
  const buyers = buyersOf(chapter)
  const free = (chapter.rows['srm.supplier'] ?? []).filter(
    ({ holding, gainedBy, status }) => holding === 'private' && gainedBy === 'create' && status !== 'terminated',
  )
  const take = (): DemoRecord | undefined => free.splice(chapter.random.integer(0, free.length - 1), 1)[0]
  const otherThan = (id: unknown): string | null => chapter.random.pick(buyers.filter((one) => one.id !== id))?.id ?? null
  for (const [index, [status, hours]] of TRANSFERS.entries()) {
    const supplier = take()
    if (supplier) makeTransfer(chapter, index, { supplier, status, hours, to: otherThan(supplier.ownerId) })
  }
  for (const [index, status] of SHARES.entries()) {
    const supplier = take()
    if (supplier) makeShare(chapter, index, { supplier, status, to: otherThan(supplier.ownerId) })
  }
}

interface Handover {
  supplier: DemoRecord
  status: string
  to: string | null
}

function makeTransfer(chapter: SrmChapter, index: number, { supplier, status, to, hours }: Handover & { hours: number }): void {
  const { now, timeZone, random } = chapter
  const sentAt = new Date(now.getTime() - hours * HOUR)
  const code = `TR${dayOf(now, timeZone).slice(2, 4)}${String(index + 1).padStart(5, '0')}`
  const expiresAt = index === 0 ? instantAt(dayOf(now, timeZone), '18:00', timeZone) : new Date(sentAt.getTime() + 72 * HOUR)
  const waiting = status === 'pending'
  const finishedAt = waiting ? null : iso(status === 'expired' ? expiresAt : new Date(sentAt.getTime() + 5 * HOUR))
  const stamp = { createdAt: iso(sentAt), createdBy: String(supplier.ownerId) }
  put(chapter, 'srm.transfer', {
    ...{ id: `tr-srm-${code}`, code, supplierIds: [supplier.id], toStaffId: to, fromStaffId: supplier.ownerId },
    ...{ reason: random.pick(['region', 'fit', 'workload']), note: '路由与价格资料已放在附件', withShares: false, draft: false },
    ...{ status, submittedAt: iso(sentAt), expiresAt: iso(expiresAt), finishedAt, ordered: false },
    rejectReason: status === 'rejected' ? '不负责这个地区的线路' : null,
    ...{ ownerId: supplier.ownerId, ownerDeptId: supplier.ownerDeptId, ownedAt: iso(sentAt), ...stamp },
  })
  put(chapter, 'srm.transferItem', {
    ...{ id: `si-${code}`, transferId: `tr-srm-${code}`, supplierId: supplier.id, supplierCode: supplier.code },
    result: waiting ? 'waiting' : 'refused',
    refusedCode: waiting ? null : status === 'rejected' ? 'receiver' : status,
    ...{ refusedBecause: null, doneAt: finishedAt, ...stamp },
  })
}

function makeShare(chapter: SrmChapter, index: number, { supplier, status, to }: Handover): void {
  const { now, timeZone } = chapter
  const today = dayOf(now, timeZone)
  const made = new Date(now.getTime() - (status === 'pending' ? 6 * HOUR : (index + 2) * DAY))
  const over = status === 'ended'
  put(chapter, 'srm.share', {
    ...{ id: `sh-srm-${index + 1}`, supplierId: supplier.id, toType: 'staff', toStaffId: to, toDeptId: null },
    ...{ mode: index % 2 === 0 ? 'read' : 'edit', reason: '一起比价和测试', status },
    from: status === 'pending' ? null : iso(made),
    until: index === 0 ? today : addDays(today, 30 + index),
    expiresAt: status === 'pending' ? iso(new Date(made.getTime() + 72 * HOUR)) : null,
    acceptedAt: status === 'pending' ? null : iso(made),
    endedAt: over ? iso(new Date(made.getTime() + DAY)) : null,
    endedById: over ? supplier.ownerId : null,
    endReason: over ? '测试结束' : null,
    ...{ createdAt: iso(made), createdBy: String(supplier.ownerId) },
  })
}
