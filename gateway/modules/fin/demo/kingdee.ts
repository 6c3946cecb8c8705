import type { DemoWorld } from '../../../demo'
import type { Entities, EntityRecord } from '../../../entities'
import { addDays, dayOf, type Day } from '../../../platform/calendar'
import { Exact } from '../../../../src/schema/formats'
import { cancelling, documentsOf, stockLines, type KingdeeDraft, type PostedAct } from '../kingdee/documents'
import { fileStem } from '../kingdee/file'
import { fieldsOf, prepaidAmong } from '../kingdee/make'
import { sourceOf } from '../kingdee/numbers'
import { neededMappings, payloadOf, type MappingKey } from '../kingdee/payload'
import { PRESET_NUMBERS } from '../kingdee/presets'
import { BANKS, bankId, ENTITIES, entityId } from './base'

/** How many of the last customers and suppliers finance has not found in Kingdee yet. */
const UNMAPPED = 5
/** Documents of so many days back are through. */
const THROUGH = 4
const WHY_SKIPPED = '该笔已在金蝶手工录入'
const WHY_REFUSED = '汇率与金蝶汇率体系相差 0.62%，超过 0.5%'

interface Posted extends Omit<PostedAct, 'prepaid'> {
  at: string
}

/**
 * Documents of Kingdee in the demo world: what its postings and bills make, given out as files and read back. The last days wait,
 * some for a mapping; one was refused, one is skipped, those of reversed postings are taken back.
 */
export async function fillKingdee(
  { world, postings, bills }: { world: DemoWorld; postings: readonly Posted[]; bills: readonly EntityRecord[] },
  entities: Entities,
): Promise<void> {
  const today = dayOf(world.now, world.timeZone)
  const numbers = numbersOf(world)
  const prepaid = prepaidAmong([...(world.rows['fin.customerAccount'] ?? []), ...(world.rows['srm.supplierAccount'] ?? [])])
  const drafts = postings.flatMap((posting) => documentsOf({ ...posting, prepaid })).map((draft): KingdeeDraft => draft)
  const book = new Book(today, numbers.of)
  for (const draft of [...drafts, ...bills.flatMap(delivery)].sort((a, b) => a.bizDate.localeCompare(b.bizDate))) book.add(draft)
  for (const { id, reversesId, bizDate, memo } of postings)
    if (reversesId) book.takeBack(reversesId, { postingId: id, bizDate, memo: memo ?? null })
  const waiting = new Map(book.missing.map((key) => [`${key.kind}:${key.localId}`, key]))
  await entities.insertMany('fin.kingdeeMapping', [
    ...numbers.rows.map((row) => ({ ...row, createdAt: world.now.toISOString(), createdBy: '' })),
    ...[...waiting.values()].map(({ kind, localId }) => ({
      ...{ id: `km-${kind}-${localId}`.slice(0, 40), mapKind: kind, localId, localName: numbers.nameOf(localId) },
      ...{ kingdeeNo: null, createdAt: world.now.toISOString(), createdBy: '' },
    })),
  ])
  await entities.insertMany('fin.kingdeeDoc', book.rows)
}

/** What finance has mapped: its entities, banks, products, and all customers and suppliers but the last ones. */
function numbersOf({ rows }: DemoWorld): {
  rows: EntityRecord[]
  of: (key: MappingKey) => string | undefined
  nameOf: (id: string) => string
} {
  const found: EntityRecord[] = []
  const map = (mapKind: string, localId: string, localName: string, kingdeeNo: string): void =>
    void found.push({
      id: `km-${mapKind}-${localId}`.slice(0, 40),
      mapKind,
      localId,
      localName,
      kingdeeNo,
      kingdeeName: localName,
    })
  const names = new Map<string, string>()
  for (const [index, { code, name }] of ENTITIES.entries()) map('org', entityId(code), name, String(100 + index))
  for (const [index, [code, currency, bank]] of BANKS.entries())
    map('bank', bankId(code, currency), `${bank} ${currency}`, `60138${String(7_000 + index * 37)}`)
  for (const [product, number] of Object.entries(MATERIALS)) map('material', product, number, number)
  for (const [kind, entity, prefix] of [
    ['customer', 'crm.customer', 'CUST'],
    ['supplier', 'srm.supplier', 'VEN'],
    ['supplier', 'srm.equipmentSupplier', 'EQ'],
  ] as const) {
    const own = rows[entity] ?? []
    const accounts = new Set((rows['fin.customerAccount'] ?? []).map(({ customerId }) => customerId))
    const named = kind === 'customer' ? own.filter(({ id }) => accounts.has(id)) : own
    for (const row of named) names.set(row.id, String(row.name))
    const known = prefix === 'EQ' ? named : named.slice(0, Math.max(0, named.length - UNMAPPED))
    for (const [index, { id, name }] of known.entries())
      map(kind, id, String(name), `${prefix}${String(index + 1).padStart(5, '0')}`)
  }
  const byKey = new Map(
    found.map(({ mapKind, localId, kingdeeNo }) => [`${String(mapKind)}:${String(localId)}`, String(kingdeeNo)]),
  )
  for (const [key, number] of Object.entries(DEMO_ANSWERS)) byKey.set(key, number)
  return {
    rows: found,
    of: ({ kind, localId }) => byKey.get(`${kind}:${localId}`) ?? PRESET_NUMBERS.get(`${kind}:${localId}`),
    nameOf: (id) => names.get(id) ?? id,
  }
}

const MATERIALS: Readonly<Record<string, string>> = {
  ...{ sms: 'SMS', voice: 'VOICE', aiVoice: 'AIVOICE', number: 'NUMBER', whatsapp: 'WHATSAPP', otpSms: 'OTP-SMS' },
  ...{ otpVoice: 'OTP-VOICE', mail: 'MAIL', device: 'DEVICE' },
}

/** What the book of the demo company says for presets that Kingdee does not deliver. */
const DEMO_ANSWERS: Readonly<Record<string, string>> = { 'stock:default': 'CK001' }

/** A bill that is out is delivered; in the demo world it has no lines yet but its product. */
function delivery(bill: EntityRecord): KingdeeDraft[] {
  const total = String(bill.total)
  if (!new Exact(total).gt(0)) return []
  const currency = String(bill.currency)
  const base = String(bill.baseTotal ?? total)
  return [
    {
      formId: 'SAL_OutStock',
      ...{ sourceKey: `bill:${String(bill.id)}`, sourceType: 'bill', sourceId: String(bill.id), sourceCode: String(bill.code) },
      ...{ postingId: null, companyEntityId: String(bill.companyEntityId), customerId: String(bill.customerId) },
      ...{ supplierId: null, partyId: String(bill.customerId), bankAccountId: null, settleKey: null },
      ...{
        billTypeKey: 'SAL_OutStock',
        bizDate: String(bill.periodTo),
        currency,
        rate: new Exact(base).dividedBy(total).toFixed(8),
      },
      ...{ amount: total, fee: '0', bankAmount: '0', baseAmount: base, taxRate: null, memo: null },
      entries: stockLines([{ product: String(bill.product), countryCode: null, units: '1', amount: total }], { total, currency }),
    },
  ]
}

/** The documents as they stand, numbered by their days. */
class Book {
  readonly rows: EntityRecord[] = []
  readonly missing: MappingKey[] = []
  private refused = false
  private skipped = false

  constructor(
    private readonly today: Day,
    private readonly numberOf: (key: MappingKey) => string | undefined,
  ) {}

  add(draft: KingdeeDraft): void {
    const number = this.rows.length + 1
    const at = `${draft.bizDate}T10:30:00.000Z`
    const id = `jd-${number}`
    const code = `JD${draft.bizDate.replaceAll('-', '')}${String(number).padStart(4, '0')}`
    const row: EntityRecord = { ...fieldsOf(draft), id, code, attempts: 0, createdAt: at, createdBy: '' }
    const source = sourceOf(row)
    const missing = neededMappings(source).filter((key) => this.lookUp(key) === undefined)
    this.rows.push({ ...row, ...(missing.length > 0 ? this.blocked(missing) : this.pushed(row, draft, number)) })
  }

  takeBack(postingId: string, by: Pick<KingdeeDraft, 'postingId' | 'bizDate' | 'memo'>): void {
    for (const row of this.rows.filter((one) => one.postingId === postingId)) {
      if (row.status !== 'audited') {
        Object.assign(row, {
          status: 'skipped',
          lastError: '来源已冲销，尚未推送',
          errorCode: null,
          missing: null,
          missingId: null,
        })
        continue
      }
      row.status = 'reversed'
      const { sourceType, sourceId } = row
      this.add(
        cancelling(
          { ...sourceOf(row), sourceKey: '', sourceType: String(sourceType), sourceId: String(sourceId), postingId: null },
          { ...by, sourceKey: `rev:${String(row.id)}` },
        ),
      )
    }
  }

  private lookUp(key: MappingKey): string | undefined {
    return (
      this.numberOf(key) ??
      (key.kind === 'material' ? this.numberOf({ ...key, localId: key.localId.split(':', 1)[0]! }) : undefined)
    )
  }

  private blocked(missing: readonly MappingKey[]): EntityRecord {
    this.missing.push(...missing)
    return {
      ...{ status: 'blocked', errorCode: 'MAP_MISSING', missingId: missing[0]!.localId },
      missing: missing.map((key) => ({ ...key, name: key.localId })),
      lastError: missing.map(({ kind, localId }) => `${kind} ${localId}`).join('; '),
    }
  }

  private pushed(row: EntityRecord, draft: KingdeeDraft, number: number): EntityRecord {
    const orgNo = this.numberOf({ kind: 'org', localId: draft.companyEntityId }) ?? null
    if (draft.bizDate > addDays(this.today, -THROUGH)) {
      if (!this.skipped) {
        this.skipped = true
        return { status: 'skipped', lastError: WHY_SKIPPED }
      }
      return { status: 'pending', orgNo }
    }
    const payload = payloadOf(sourceOf(row), (key) => this.lookUp(key))
    const exported = { payload, orgNo, exportFile: `${fileStem(draft, orgNo ?? '')}_001.xlsx` }
    if (!this.refused && draft.formId === 'AR_ReceiveBill' && draft.currency !== 'USD') {
      this.refused = true
      return { ...exported, status: 'failed', errorCode: 'RATE_DIFF', lastError: WHY_REFUSED }
    }
    const kingdeeNo = `${NUMBERED[draft.formId] ?? 'DJ'}${String(number).padStart(6, '0')}`
    return {
      ...exported,
      status: 'audited',
      remoteStatus: 'C',
      kingdeeNo,
      checkedAt: `${addDays(draft.bizDate, 1)}T03:00:00.000Z`,
    }
  }
}

const NUMBERED: Readonly<Record<string, string>> = {
  ...{ AR_ReceiveBill: 'SKD', AR_RefundBill: 'SKTKD', AP_PayBill: 'FKD', AP_RefundBill: 'FKTKD' },
  ...{ STK_InStock: 'CGRK', SAL_OutStock: 'XSCKD' },
}
