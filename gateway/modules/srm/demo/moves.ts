import type { DemoRecord } from '../../../demo'
import { addDays, dayOf, instantAt } from '../../../platform/calendar'
import { iso, put, type SrmChapter } from './suppliers'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const EDGE = 'HKT_SMS_OTP_01'
const [OLD, NEW] = ['sa-moved-1', 'sa-moved-2']
type More = Readonly<Record<string, unknown>>

/** Transfers of accounts: one that is done, two of tomorrow 10:00 (one of them the second of its account), one with a failure, one to check, a draft; and of a whole supplier. */
export function makeMoves(chapter: SrmChapter): void {
  const { now, timeZone, rows } = chapter
  const suppliers = (rows['srm.supplier'] ?? []).filter(
    ({ status, ownerId, holding }) => status === 'cooperating' && ownerId && holding === 'private',
  )
  const [first, second, third, fourth] = suppliers
  if (!first || !second || !third || !fourth) return
  const smsOf = ({ id }: DemoRecord): DemoRecord | undefined =>
    (rows['srm.supplierAccount'] ?? []).find(
      ({ supplierId, kind, status }) => supplierId === id && kind === 'sms' && status === 'active',
    )
  const tomorrow = iso(instantAt(addDays(dayOf(now, timeZone), 1), '10:00', timeZone))
  const ago = (hours: number): string => iso(new Date(now.getTime() - hours * HOUR))

  const movedAt = ago(45 * 24)
  const old = account(chapter, first, {
    id: OLD,
    name: EDGE,
    status: 'suspended',
    balance: '0',
    movedToId: NEW,
    createdAt: ago(300 * 24),
  })
  const fresh = account(chapter, second, {
    id: NEW,
    name: `${EDGE}_T1`,
    balance: '2480.5',
    createdAt: movedAt,
    movedFromId: old.id,
    transferCount: 1,
  })
  const done = transfer(chapter, {
    from: first,
    to: second,
    status: 'done',
    createdAt: ago(47 * 24),
    cutoverAt: movedAt,
    balanceMode: 'settleFirst',
  })
  item(chapter, done, {
    accountId: old.id,
    oldName: EDGE,
    newName: `${EDGE}_T1`,
    newAccountId: fresh.id,
    result: 'done',
    balanceAtSubmit: '0',
    balanceAtCutover: '0',
    doneAt: movedAt,
  })

  const again = transfer(chapter, { from: second, to: third, status: 'scheduled', createdAt: ago(26), cutoverAt: tomorrow })
  item(chapter, again, {
    accountId: fresh.id,
    oldName: `${EDGE}_T1`,
    newName: `${EDGE}_T2`,
    balanceAtSubmit: '2480.5',
    held: true,
  })

  const plans = [
    { from: first, to: fourth, status: 'scheduled', createdAt: ago(30), cutoverAt: tomorrow },
    { from: third, to: first, status: 'partly', createdAt: ago(6 * 24), cutoverAt: ago(5 * 24) },
    { from: fourth, to: second, status: 'checking', createdAt: ago(3), cutoverAt: iso(new Date(Date.parse(tomorrow) + DAY)) },
  ]
  for (const plan of plans) {
    const moving = smsOf(plan.from)
    if (!moving) continue
    const head = transfer(chapter, plan)
    const failed = plan.status === 'partly'
    item(chapter, head, {
      ...{
        accountId: moving.id,
        oldName: moving.name,
        newName: `${String(moving.name)}_T1`,
        balanceAtSubmit: moving.balance,
        held: true,
      },
      ...(failed ? { result: 'failed', error: '会计期间已关账，不能记账 / The accounting period is closed' } : {}),
    })
  }
  const whole = suppliers.at(-1)!
  if (whole !== first && whole !== second && whole !== third && whole !== fourth)
    supplierTransfer(chapter, whole, first, ago(20), iso(new Date(Date.parse(tomorrow) + 2 * DAY)))
}

function account(chapter: SrmChapter, supplier: DemoRecord, more: More & { id: string; createdAt: string }): DemoRecord {
  const number = String((chapter.rows['srm.supplierAccount']?.length ?? 0) + 1).padStart(6, '0')
  return put(chapter, 'srm.supplierAccount', {
    ...{
      id: `sa-moved-${number}`,
      code: `S${number}`,
      supplierId: supplier.id,
      kind: 'sms',
      currency: 'USD',
      payMode: 'prepaid',
    },
    ...{
      status: 'active',
      balance: '0',
      creditLimit: null,
      warnAmount: '300',
      settleCycle: 'monthly',
      ourCompany: 'hk',
      taxRate: '0',
    },
    ...{ bankInfo: null, loginUrl: null, buyerId: supplier.ownerId, transferCount: 0, createdBy: String(supplier.ownerId) },
    ...more,
  })
}

interface Plan {
  from: DemoRecord
  to: DemoRecord
  status: string
  createdAt: string
  cutoverAt: string
  balanceMode?: string
}

function transfer(chapter: SrmChapter, { from, to, status, createdAt, cutoverAt, balanceMode = 'move' }: Plan): DemoRecord {
  const { now, timeZone, rows } = chapter
  const number = String((rows['srm.accountTransfer']?.length ?? 0) + 1).padStart(5, '0')
  const code = `AT${dayOf(now, timeZone).slice(2, 4)}${number}`
  const checked = status !== 'checking'
  const checkedAt = checked ? iso(new Date(Date.parse(createdAt) + 4 * HOUR)) : null
  const supplierTeam = (rows['srm.supplier'] ?? []).find(({ ownerId }) => ownerId && ownerId !== from.ownerId)
  const counted = (name: string): number => (name === status ? 1 : 0)
  return put(chapter, 'srm.accountTransfer', {
    ...{
      id: `at-${code}`,
      code,
      fromSupplierId: from.id,
      toSupplierId: to.id,
      accountIds: [],
      cutoverAt,
      balanceMode,
      rateMode: 'copy',
    },
    ...{ reason: 'contract', explanation: '换签到新供应商。', status, submittedAt: createdAt, checkedAt },
    ...{ accountsChecked: checked || null, balancesChecked: checked || null, ratesChecked: checked || null },
    ...{ checkedById: checked ? (supplierTeam?.ownerId ?? null) : null, finishedAt: status === 'done' ? cutoverAt : null },
    ...{ itemCount: 1, doneCount: counted('done'), failedCount: counted('partly') },
    waitingCount: status === 'done' || status === 'partly' ? 0 : 1,
    ...{
      ownerId: from.ownerId,
      ownerDeptId: from.ownerDeptId,
      ownedAt: createdAt,
      attachments: [],
      createdAt,
      createdBy: String(from.ownerId),
    },
  })
}

function item(chapter: SrmChapter, head: DemoRecord, more: More): void {
  ;(head.accountIds as unknown[]).push(more.accountId)
  put(chapter, 'srm.accountTransferItem', {
    ...{
      id: `${head.id}-1`,
      transferId: head.id,
      currency: 'USD',
      balanceMode: head.balanceMode,
      result: 'waiting',
      held: false,
    },
    ...{ createdAt: head.createdAt, createdBy: head.createdBy },
    ...more,
  })
}

function supplierTransfer(chapter: SrmChapter, from: DemoRecord, to: DemoRecord, createdAt: string, cutoverAt: string): void {
  const { now, timeZone, rows } = chapter
  const code = `ST${dayOf(now, timeZone).slice(2, 4)}00001`
  const accounts = (rows['srm.supplierAccount'] ?? []).filter(
    ({ supplierId, status }) => supplierId === from.id && status !== 'closed',
  )
  const contacts = (rows['srm.supplierContact'] ?? []).filter(({ supplierId }) => supplierId === from.id)
  put(chapter, 'srm.supplierTransfer', {
    ...{ id: `st-${code}`, code, fromSupplierId: from.id, toSupplierId: to.id, kind: 'takeover', cutoverAt, status: 'pending' },
    ...{ balanceMode: 'move', rateHandling: 'move', contactHandling: 'move', billHandling: 'settle', handling: null },
    ...{
      explanation: '业务由承接方接手。',
      evidence: [],
      submittedAt: createdAt,
      accountsThen: accounts.length,
      contactsThen: contacts.length,
    },
    ...{ ratesThen: 0, billsThen: 0, cluesThen: 0, applicationsThen: 0, balancesThen: null },
    ...{ ownerId: from.ownerId, ownerDeptId: from.ownerDeptId, ownedAt: createdAt, createdAt, createdBy: String(from.ownerId) },
  })
}
