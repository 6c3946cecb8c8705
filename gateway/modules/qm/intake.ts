import { sql } from 'drizzle-orm'
import { Exact, exactText, toExact } from '../../../src/schema/formats'
import { tableOf, type DeriveFunction, type EntityRecord, type Verb } from '../../entities'
import { ruleFor } from '../../rules'
import { picked, storedLines } from './applications'
import { rateKeyOf } from '../biz'
import { keysOf } from './costs'

const COSTS = sql.raw(tableOf('qm.supplierRate'))
const RATE = 'qm.supplierRate'
const SHEET = 'qm.rateSheet'
const CHANNEL = { sms: 'supplierSms', otpSms: 'supplierSms', aiVoice: 'supplierAiVoice' } as const
const DESTINATION = ['country', 'mccmnc', 'prefix', 'destination', 'routeClass', 'numberType', 'waCategory'] as const
const UNITS: Readonly<Record<string, string>> = {
  sms: 'segment',
  otpSms: 'verified',
  whatsapp: 'message',
  number: 'month',
  otpVoice: 'call',
}

interface Known {
  supplierId: string
  accountId: string | null
  /** Channel or gateway; empty: the whole account. */
  routeId: string
  rateKey: string
  price: string
}

/**
 * `qm.intakeCheck`: how well a line of a supplier's quotation was read, against what the supplier costs now (quotes 1.14). A line without
 * a destination is rejected; one that we never bought there, or whose cost moves by more than the rules call big, is doubtful until
 * somebody has decided on it.
 */
export const intakeCheck: DeriveFunction = async ({ db, now }, rows) => {
  const { rows: known } = await db.query<Known>(
    sql`select r.supplier_id as "supplierId", r.supplier_account_id as "accountId", coalesce(r.channel_id, r.gateway_id, '') as "routeId", r.rate_key as "rateKey", min(r.price)::text as price from ${COSTS} r
      where r.supplier_id = any(${sql.param([...new Set(rows.map(({ record }) => String(record.supplierId)))])}::text[])
        and r.rate_key = any(${sql.param([...new Set(keysOf(rows.map(({ record }) => record)))])}::text[])
        and r.status = 'active' and r.price is not null and r.deleted_at is null group by 1, 2, 3, 4`,
  )
  // what the route costs now: by its own row, else by that of the whole account
  const oldOf = ({ supplierId, supplierAccountId, rateKey, channelId, gatewayId }: EntityRecord): Exact | undefined => {
    const of = known.filter(
      (one) =>
        one.supplierId === supplierId &&
        one.rateKey === rateKey &&
        (typeof supplierAccountId !== 'string' || one.accountId === supplierAccountId),
    )
    const routed = of.filter(({ routeId }) => routeId !== '' && (routeId === channelId || routeId === gatewayId))
    const own = routed.length > 0 ? routed : of.filter(({ routeId }) => routeId === '')
    return own
      .map(({ price }) => new Exact(price))
      .reduce<Exact | undefined>((least, price) => (least?.lte(price) ? least : price), undefined)
  }
  const { bigChangePct } = await ruleFor(db, 'qm.quote', now)
  return rows.map(({ record }) => {
    const old = oldOf(record)
    const price = toExact(record.price)
    const found = judged(record, old, price, bigChangePct)
    const decided = found.level === 'doubtful' ? record.checked : record.checked === 'rejected' ? 'rejected' : null
    return {
      oldCost: old ? exactText(old) : null,
      changeFlag: flagOf(old, price),
      level: typeof decided === 'string' ? decided : found.level,
      reason: found.reason,
    }
  })
}

function judged(record: EntityRecord, old: Exact | undefined, price: Exact | undefined, big: number) {
  const destination = [record.country, record.prefix].some((value) => typeof value === 'string' && value !== '')
  if (!destination) return { level: 'rejected', reason: '没有目的地 / no destination' }
  if (!old)
    return price
      ? { level: 'doubtful', reason: '新目的地 / new destination' }
      : { level: 'rejected', reason: '没有可关闭的费率 / nothing to close' }
  if (!price) return { level: 'doubtful', reason: '关闭 / closed' }
  const change = old.gt(0) ? price.minus(old).dividedBy(old).times(100).abs() : new Exact(0)
  return change.gt(big)
    ? { level: 'doubtful', reason: `变动 ${change.toFixed(0)}% / moves by ${change.toFixed(0)}%` }
    : { level: 'matched', reason: null }
}

function flagOf(old: Exact | undefined, price: Exact | undefined): string {
  if (!price) return 'closed'
  if (!old) return 'new'
  return price.gt(old) ? 'increase' : price.lt(old) ? 'decrease' : 'unchanged'
}

/** `qm.offerIntake`: what was read and checked becomes a sheet of the supplier, and rates that wait to be taken. */
export const offerIntake: Verb<'qm.quoteIntake'> = async (hook, runs) => {
  const { entities } = hook
  for (const { subject } of runs) {
    const intake = subject.record
    const lines = (await storedLines(hook, 'qm.quoteIntakeLine', 'intakeId', intake.id)).filter(
      ({ level }) => level === 'matched',
    )
    const product = intake.product
    const unit = UNITS[product] ?? 'minute'
    const written = lines.map((line) => ({
      ...picked(line, DESTINATION),
      ...{ rateKey: rateKeyOf(product, line), unit, price: line.price ?? null, oldPrice: line.oldCost ?? null },
      ...{ changeFlag: line.changeFlag, effectiveFrom: intake.effectiveFrom },
    }))
    const of = picked(intake, ['supplierId', 'supplierAccountId', 'product', 'currency', 'effectiveFrom'])
    const sender = CHANNEL[product as keyof typeof CHANNEL] ?? 'supplierVoice'
    const sheet = await entities.save(SHEET, { ...of, direction: 'supplier', sender, scope: 'partial', lines: written })
    await entities.createMany(
      RATE,
      written.map((line) => ({
        ...of,
        ...line,
        ...picked(intake, ['channelId', 'gatewayId', 'validUntil']),
        ...{ sheetId: sheet.id, intakeId: intake.id, source: 'sheet' },
      })),
    )
    intake.sheetId = sheet.id
  }
}
