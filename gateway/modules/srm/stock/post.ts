import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, Verb, VerbContext, RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { ServiceError, type Text } from '../../../platform/http'
import { averageCost, moveIn, moveOut, type Movement, type OnHand } from './cost'
import { keepReturned, landReceipt, landReturn } from '../purchase/receive'
import { atCustomer, saleOf, saleTakenBack, type Sale } from '../sale/deliver'
import { macOf, readUnits, type ScannedUnit } from './units'

type Side = 'in' | 'out'

type Document = 'srm.stockIn' | 'srm.stockOut'
type DocumentLine = 'srm.stockInLine' | 'srm.stockOutLine'

/** A line of a document with its product and the pieces that it names. */
interface Line {
  record: RecordOf<DocumentLine>
  id: string
  product: RecordOf<'srm.product'>
  qty: string
  units: ScannedUnit[]
}

const FLOW_OF: Readonly<Record<string, string>> = { 'in.move': 'moveIn', 'out.move': 'moveOut' }
const UNIT_AFTER: Readonly<Record<string, string>> = {
  sale: 'sold',
  rent: 'rented',
  move: 'moving',
  purchaseReturn: 'returned',
  ownUse: 'inUse',
  countLoss: 'scrapped',
  scrap: 'scrapped',
}
const UNIT_BY: Readonly<Record<string, string>> = {
  sale: 'sell',
  rent: 'rent',
  move: 'move',
  purchaseReturn: 'sendBack',
  ownUse: 'use',
  countLoss: 'scrap',
  scrap: 'scrap',
}
/** What a piece says that no customer has. */
const NO_CUSTOMER = { customerId: null, soldAt: null, warrantyUntil: null }
const PROBLEMS: Readonly<Record<string, Text>> = {
  mac: { zh: 'MAC地址不正确', en: 'is no MAC address of one device' },
  noMac: { zh: '缺少MAC地址', en: 'has no MAC address' },
  twice: { zh: '重复', en: 'stands there twice' },
}

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')

const facts = (zh: string, en: string): ServiceError => new ServiceError('factsChanged', { message: { zh, en } })
const held = (zh: string, en: string): ServiceError => new ServiceError('heldByDocument', { message: { zh, en } })

/**
 * `srm.postStock`: a stock document (`side`, `id`) becomes flows, stock and pieces, in the transaction of its transition and with the
 * stock rows locked in one order (customers-suppliers 10). @throws 10060059 for stock that is not there, and pieces that do not fit
 */
export const postStock: Verb<Document> = async (hook, runs) => {
  for (const { subject, with: given } of runs) {
    const document = subject.record
    const posting = new Posting(hook, sideOf(given), document)
    const lines = await posting.lines()
    await posting.priced(lines)
    let total = new Exact(0)
    for (const line of lines) total = total.plus(await posting.post(line))
    await posting.movedOn(lines)
    document.totalCost = exactText(total)
    document.postedAt = hook.now.toISOString()
    document.postedById = hook.context.user.staffId
  }
}

/**
 * `srm.reverseStock`: the flows of a posted document once more with the other sign, at the document's own cost. @throws 10060054 when
 * something that came later depends on it
 */
export const reverseStock: Verb<Document> = async (hook, runs) => {
  for (const { subject, with: given } of runs) {
    const posting = new Posting(hook, sideOf(given), subject.record)
    const lines = await posting.lines()
    if (given.side === 'in') keepReturned(text(subject.record.code), lines)
    await posting.unpriced(lines)
    await posting.takeBack()
    for (const line of lines) await posting.reverse(line)
  }
}

/** `srm.changeMac`: a device gets another MAC address; the log keeps both. */
export const changeMac: Verb<'srm.deviceUnit'> = async ({ entities, context, now }, runs) => {
  for (const { subject, with: given } of runs) {
    const mac = macOf(text(given.newMac))
    if (mac === null)
      throw facts(`“${text(given.newMac)}”不是单个设备的MAC地址。`, `"${text(given.newMac)}" is no MAC address of one device.`)
    const [other] = await entities.list('srm.deviceUnit', {
      where: [{ field: 'macAddress', operator: 'eq', value: mac }],
      limit: 1,
    })
    if (other && other.id !== subject.record.id)
      throw facts(
        `MAC ${mac} 已属于序列号 ${text(other.serialNo)}。`,
        `The MAC ${mac} belongs to the serial number ${text(other.serialNo)} already.`,
      )
    await entities.save('srm.macLog', {
      ...{ unitId: subject.record.id, macBefore: subject.record.macAddress, macAfter: mac, action: 'change' },
      ...{ reason: text(given.reason), byId: context.user.staffId, at: now.toISOString() },
    })
    subject.record.macAddress = mac
  }
}

/** Pieces that one statement is about; a document may name 50,000. */
const AT_ONCE = 1_000

async function inParts<Item, Result>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) results.push(...(await work(items.slice(start, start + AT_ONCE))))
  return results
}

function sideOf(given: EntityRecord): Side {
  if (given.side !== 'in' && given.side !== 'out') throw new Error('The effect names no side of stock.')
  return given.side
}

/** What one document does to the stock of its warehouse. */
class Posting {
  private readonly kind: string
  private readonly code: string
  private readonly warehouseId: string
  /** Of a delivery or a return. */
  private sale: Sale | null = null

  constructor(
    private readonly hook: VerbContext,
    private readonly side: Side,
    private readonly document: RecordOf<Document>,
  ) {
    this.kind = text(document.kind)
    this.code = text(document.code)
    this.warehouseId = text(document.warehouseId)
  }

  /** The lines by product, with the stock of all their products locked, so that two documents never wait for one another. */
  async lines(): Promise<Line[]> {
    const { entities, tx } = this.hook
    const parent = this.side === 'in' ? 'stockInId' : 'stockOutId'
    const records = await entities.list(this.lineEntity, {
      where: [{ field: parent, operator: 'eq', value: text(this.document.id) }],
      limit: 5000,
    })
    const ids = [...new Set(records.map(({ productId }) => text(productId)))].sort()
    for (const id of ids)
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('srm.stock'), hashtext(${`${id}@${this.warehouseId}`}))`)
    const products = new Map<string, RecordOf<'srm.product'>>()
    for (const id of ids) {
      const product = await entities.find('srm.product', id)
      if (product) products.set(id, product)
    }
    return records
      .map((record) => this.read(record, products.get(text(record.productId))))
      .sort((a, b) => (text(a.product.id) < text(b.product.id) ? -1 : 1))
  }

  private read(record: RecordOf<DocumentLine>, product: RecordOf<'srm.product'> | undefined): Line {
    if (!product) throw facts('明细中的产品已删除。', 'A product of the lines is deleted.')
    const qty = exactText(new Exact(text(record.qty)))
    const { units, problems } = readUnits(text(record.units), product.hasMac === true && this.side === 'in')
    const name = text(product.name)
    const [wrong] = problems
    if (product.serialised === true && wrong) {
      const why = PROBLEMS[wrong.why]!
      throw facts(
        `${name} 第 ${wrong.line} 行“${wrong.text}”：${why.zh}，请更正后再过账。`,
        `${name}, line ${wrong.line}: "${wrong.text}" ${why.en}. Correct it and post again.`,
      )
    }
    if (product.serialised === true && !new Exact(units.length).eq(qty))
      throw facts(
        `${name} 的数量为 ${qty}，序列号有 ${units.length} 个，两者须一致。`,
        `${name}: the quantity is ${qty}, but ${units.length} serial numbers are given; they have to agree.`,
      )
    return { record, id: text(record.id), product, qty, units: product.serialised === true ? units : [] }
  }

  private get lineEntity(): DocumentLine {
    return this.side === 'in' ? 'srm.stockInLine' : 'srm.stockOutLine'
  }

  /** What moves for an order or a sale is of its lines, and worth what they say. */
  async priced(lines: readonly Line[]): Promise<void> {
    if (this.side === 'in' && text(this.document.orderId) !== '') await landReceipt(this.hook, this.document, lines)
    if (this.side === 'out' && this.kind === 'purchaseReturn') await landReturn(this.hook, this.document, lines)
    if (text(this.document.saleId) !== '') this.sale = await saleOf(this.hook, this.side, this.document, lines)
  }

  /** The same of a document that is taken back. */
  async unpriced(lines: readonly Line[]): Promise<void> {
    if (text(this.document.saleId) !== '') this.sale = await saleTakenBack(this.hook, this.side, this.document, lines)
  }

  /** What became of the pieces that went out by a document of this kind. */
  private get goneAs(): string {
    return this.sale?.rented === true ? 'rent' : this.sale ? 'sale' : this.kind
  }

  /** Posts a line. @returns its cost in CNY */
  async post(line: Line): Promise<string> {
    const stock = await this.stockOf(line)
    if (this.kind === 'opening') await this.firstHere(line, stock.onHand)
    const movement = this.side === 'in' ? await this.incoming(line, stock.onHand) : this.outgoing(line, stock)
    const flow = FLOW_OF[`${this.side}.${this.kind}`] ?? this.kind
    await this.write(line, stock.id, movement, flow)
    const cost = exactText(new Exact(movement.amount).abs())
    const { entities } = this.hook
    await entities.changeMany(this.lineEntity, new Map([[line.id, { unitCost: movement.unitCost, cost }]]))
    if (this.kind === 'purchase')
      await entities.changeMany('srm.product', new Map([[text(line.product.id), { purchasePrice: movement.unitCost }]]))
    if (line.units.length > 0) await (this.side === 'in' ? this.shelve(line, movement) : this.takeOut(line))
    return cost
  }

  private async incoming(line: Line, onHand: OnHand): Promise<Movement> {
    if (this.kind === 'countGain')
      return moveIn(onHand, line.qty, averageCost(onHand) ?? (text(line.product.purchasePrice) || '0'))
    if (this.kind === 'saleReturn') return moveIn(onHand, line.qty, text(line.record.unitCost), text(line.record.cost))
    if (this.kind !== 'move') return moveIn(onHand, line.qty, text(line.record.unitCost) || '0')
    const sent = await this.hook.entities.find('srm.stockOutLine', 'outLineId' in line.record ? text(line.record.outLineId) : '')
    if (!sent || !new Exact(text(sent.qty)).eq(line.qty) || text(sent.units) !== text(line.record.units))
      throw facts(
        '调入的数量和序列号须与调出单一致。差异请在过账后用盘点单更正。',
        'What comes in has to be what was sent. Post it, and correct a difference with a count.',
      )
    return moveIn(onHand, line.qty, text(sent.unitCost), text(sent.cost))
  }

  /** An opening comes before everything else; one that was reversed never came. */
  private async firstHere({ product }: Line, { qty }: OnHand): Promise<void> {
    const { entities } = this.hook
    const moved = await entities.count('srm.stockFlow', [
      { field: 'warehouseId', operator: 'eq', value: this.warehouseId },
      { field: 'productId', operator: 'eq', value: text(product.id) },
      { field: 'kind', operator: 'notIn', value: ['opening', 'reverse'] },
    ])
    if (moved === 0 && new Exact(qty).isZero()) return
    const name = text(product.name)
    throw new ServiceError('alreadyPosted', {
      message: {
        zh: `${name} 在该仓库已有库存流水，期初只能录入一次。差异请用盘点单更正。`,
        en: `${name} has flows in this warehouse: an opening is entered once only. Correct a difference with a count.`,
      },
    })
  }

  private outgoing(line: Line, { onHand, locked }: { onHand: OnHand; locked: string }): Movement {
    // what is sold goes out of what is kept for it
    const free = this.sale ? onHand.qty : exactText(new Exact(onHand.qty).minus(locked))
    const movement = new Exact(line.qty).gt(free)
      ? null
      : moveOut(onHand, line.qty, this.kind === 'purchaseReturn' ? text(line.record.unitCost) : undefined)
    if (!movement) throw this.missing(line, free)
    return movement
  }

  private missing(line: Line, free: string): ServiceError {
    const name = text(line.product.name)
    return facts(
      `${name} 库存不足：需要 ${line.qty}，可用 ${exactText(new Exact(free))}。`,
      `${name}: wanted ${line.qty}, available ${exactText(new Exact(free))}.`,
    )
  }

  /** Posts the line the other way round. */
  async reverse(line: Line): Promise<void> {
    const stock = await this.stockOf(line)
    const cost = text(line.record.unitCost) || '0'
    const movement =
      this.side === 'in' ? moveOut(stock.onHand, line.qty, cost) : moveIn(stock.onHand, line.qty, cost, text(line.record.cost))
    if (!movement || new Exact(movement.after.qty).lt(stock.locked))
      throw held(
        `${text(line.product.name)} 只剩 ${stock.onHand.qty}，后面的单据已用掉，不能冲销。`,
        `${text(line.product.name)}: only ${stock.onHand.qty} are left; later documents used them, so it cannot be reversed.`,
      )
    await this.write(line, stock.id, movement, 'reverse')
    if (line.units.length === 0) return
    const units = await this.known(line)
    const mine = this.side === 'in' ? 'inStock' : UNIT_AFTER[this.goneAs]
    const doc = this.side === 'in' ? 'inDocId' : 'outDocId'
    const other = units.find((unit) => unit.status !== mine || unit[doc] !== this.document.id)
    if (other || units.length !== line.units.length)
      throw held(
        `序列号 ${text(other?.serialNo)} 后来被其他单据移动过，不能冲销。`,
        `The serial number ${text(other?.serialNo)} was moved by a later document; this one cannot be reversed.`,
      )
    await (this.side === 'in'
      ? this.leave(line, units)
      : this.turn(units, 'shelve', { warehouseId: this.warehouseId, outDocId: null, gatewayName: null, ...NO_CUSTOMER }))
  }

  /** Pieces of a document that is taken back: those that came with it were never here, the others are what they were. */
  private async leave({ product }: Line, units: readonly RecordOf<'srm.deviceUnit'>[]): Promise<void> {
    const { entities, now } = this.hook
    const registered = await inParts(
      units.map(({ id }) => text(id)),
      (part) =>
        entities.list('srm.macLog', {
          where: [
            { field: 'docCode', operator: 'eq', value: this.code },
            { field: 'action', operator: 'eq', value: 'register' },
            { field: 'unitId', operator: 'in', value: [...part] },
          ],
          limit: part.length,
        }),
    )
    const fresh = new Set(registered.map(({ unitId }) => unitId))
    const gone = units.filter(({ id }) => fresh.has(id))
    await entities.changeMany(
      'srm.deviceUnit',
      new Map(gone.map(({ id }) => [text(id), { deletedAt: now.toISOString(), warehouseId: null }])),
    )
    const known = units.filter(({ id }) => !fresh.has(id))
    await (this.sale
      ? this.turn(known, UNIT_BY[this.goneAs]!, { warehouseId: null, ...atCustomer(this.hook, this.sale, product) })
      : this.turn(known, 'scrap', { warehouseId: null }))
  }

  private async turn(units: readonly RecordOf<'srm.deviceUnit'>[], transition: string, values: EntityRecord): Promise<void> {
    if (units.length === 0) return
    const ids = units.map(({ id }) => text(id))
    await inParts(ids, async (part) => {
      const refused = await this.hook.entities.transitions('srm.deviceUnit', part, transition, () => values)
      for (const problem of refused.values()) throw problem
      return []
    })
  }

  /** A move that is reversed takes back what is on the way. */
  async takeBack(): Promise<void> {
    if (this.side === 'in' || this.kind !== 'move') return
    const { entities } = this.hook
    const [arrival] = await entities.list('srm.stockIn', {
      where: [{ field: 'transferOutId', operator: 'eq', value: text(this.document.id) }],
      limit: 1,
      lock: true,
    })
    if (!arrival) return
    if (arrival.status !== 'draft')
      throw held(
        `调入单 ${text(arrival.code)} 已过账，请再做一次调拨。`,
        `The move in ${text(arrival.code)} is posted: move the goods back instead.`,
      )
    await entities.transition('srm.stockIn', text(arrival.id), 'withdrawMove')
  }

  /** Goods that left for another warehouse wait there as a draft of what comes in. */
  async movedOn(lines: readonly Line[]): Promise<void> {
    if (this.side === 'in' || this.kind !== 'move') return
    const { entities } = this.hook
    await entities.save('srm.stockIn', {
      ...{
        kind: 'move',
        warehouseId: 'toWarehouseId' in this.document ? this.document.toWarehouseId : null,
        transferOutId: this.document.id,
      },
      lines: lines.map(({ record, id, qty }) => ({
        productId: record.productId,
        outLineId: id,
        qty,
        units: record.units ?? null,
      })),
    })
  }

  private async stockOf(line: Line): Promise<{ id: string; onHand: OnHand; locked: string }> {
    const { entities } = this.hook
    const place = { warehouseId: this.warehouseId, productId: text(line.product.id) }
    const [known] = await entities.list('srm.stock', {
      where: Object.entries(place).map(([field, value]) => ({ field, operator: 'eq' as const, value })),
      lock: true,
      limit: 1,
    })
    const stock = known ?? (await entities.save('srm.stock', place))
    return {
      id: text(stock.id),
      onHand: { qty: text(stock.qty) || '0', value: text(stock.value) || '0' },
      locked: text(stock.lockedQty) || '0',
    }
  }

  private async write(
    line: Line,
    stockId: string,
    { qty, unitCost, amount, after, variance }: Movement,
    kind: string,
  ): Promise<void> {
    const { entities, now, context } = this.hook
    const at = now.toISOString()
    const incoming = !new Exact(qty).isNegative()
    await entities.save('srm.stockFlow', {
      ...{ at, warehouseId: this.warehouseId, productId: line.product.id, kind, direction: incoming ? 'in' : 'out' },
      ...{ qty, unitCost, amount, variance, qtyAfter: after.qty, valueAfter: after.value },
      ...{ docType: this.side === 'in' ? 'stockIn' : 'stockOut', docId: this.document.id, docCode: this.code },
      ...{ docLineId: line.id, seq: 1, operatorId: context.user.staffId },
    })
    await entities.save('srm.stock', {
      id: stockId,
      qty: after.qty,
      value: after.value,
      [incoming ? 'lastInAt' : 'lastOutAt']: at,
    })
  }

  /** The registered pieces that a line names by serial number or MAC. */
  private async known({ units }: Line): Promise<RecordOf<'srm.deviceUnit'>[]> {
    const { entities } = this.hook
    const serials = units.map(({ serialNo }) => serialNo)
    const macs = units.flatMap(({ serialNo, mac }) => [mac, macOf(serialNo)]).filter((mac) => mac !== null)
    const named = (field: string, values: readonly string[]): Promise<RecordOf<'srm.deviceUnit'>[]> =>
      inParts(values, (part) =>
        entities.list('srm.deviceUnit', {
          where: [{ field, operator: 'in', value: [...part] }],
          limit: part.length,
          lock: true,
        }),
      )
    const bySerial = await named('serialNo', serials)
    const byMac = await named('macAddress', macs)
    return [...new Map([...bySerial, ...byMac].map((unit) => [unit.id, unit])).values()]
  }

  private async shelve(line: Line, { unitCost }: Movement): Promise<void> {
    const { entities } = this.hook
    const known = await this.known(line)
    const back = this.sale ? UNIT_AFTER[this.goneAs] : { move: 'moving', countGain: 'scrapped' }[this.kind]
    const wrong = known.find(({ status, productId }) => status !== back || productId !== line.product.id)
    if (wrong)
      throw facts(
        `序列号 ${text(wrong.serialNo)}（MAC ${text(wrong.macAddress) || '—'}）已登记，不能再次入库。`,
        `The serial number ${text(wrong.serialNo)} (MAC ${text(wrong.macAddress) || '—'}) is registered already and cannot come in again.`,
      )
    if (this.sale) {
      const { outDocIds } = this.sale
      const theirs = new Set(known.filter((unit) => outDocIds.has(text(unit.outDocId))).map((unit) => unit.serialNo))
      const strange = line.units.find(({ serialNo }) => !theirs.has(serialNo))
      if (strange)
        throw facts(
          `序列号 ${strange.serialNo} 不是按该销售订单出库的。`,
          `The serial number ${strange.serialNo} was not shipped for this sale.`,
        )
    }
    const place = {
      warehouseId: this.warehouseId,
      inDocId: this.document.id,
      // what comes back from a customer still says by what it went out
      ...(this.sale ? {} : { outDocId: null }),
      inCost: unitCost,
      ...NO_CUSTOMER,
    }
    await this.turn(known, 'shelve', place)
    const serials = new Set(known.map(({ serialNo }) => serialNo))
    const unknown = line.units.filter(({ serialNo }) => !serials.has(serialNo))
    if (unknown.length === 0) return
    const fresh = await inParts(
      unknown.map(({ serialNo, mac }) => ({
        ...{ serialNo, macAddress: mac, productId: line.product.id, warehouseId: this.warehouseId },
        ...{ inDocId: this.document.id, inCost: unitCost },
      })),
      (part) => entities.createMany('srm.deviceUnit', part),
    )
    await this.log('register', fresh)
  }

  private async takeOut(line: Line): Promise<void> {
    const known = await this.known(line)
    const here = known.filter(
      (unit) =>
        unit.status === 'inStock' &&
        unit.warehouseId === this.warehouseId &&
        unit.productId === line.product.id &&
        (this.kind !== 'purchaseReturn' || ('inId' in this.document && unit.inDocId === this.document.inId)),
    )
    if (here.length !== line.units.length) {
      const found = new Set(here.flatMap(({ serialNo, macAddress }) => [serialNo, macAddress]))
      const missing = line.units.find(({ serialNo }) => !found.has(serialNo) && !found.has(macOf(serialNo) ?? ''))
      throw facts(
        `序列号 ${missing?.serialNo ?? ''} 不在该仓库的 ${text(line.product.name)} 库存中。`,
        `The serial number ${missing?.serialNo ?? ''} is not in this warehouse's stock of ${text(line.product.name)}.`,
      )
    }
    const status = UNIT_AFTER[this.goneAs]
    // a piece may get another MAC later: the document goes by its serial number
    const units = here.map(({ serialNo, macAddress }) => [serialNo, macAddress].map(text).join(' ').trim()).join('\n')
    line.record.units = units
    await this.hook.entities.changeMany('srm.stockOutLine', new Map([[line.id, { units }]]))
    const named = status === 'inUse' ? { gatewayName: 'gatewayName' in this.document ? this.document.gatewayName : null } : {}
    const owner = this.sale ? atCustomer(this.hook, this.sale, line.product) : {}
    await this.turn(here, UNIT_BY[this.goneAs]!, { warehouseId: null, outDocId: this.document.id, ...named, ...owner })
    if (status === 'scrapped') await this.log('scrap', here)
    if (status === 'inUse') await this.log('bind', here)
    if (status === 'returned') await this.log('return', here)
  }

  private async log(action: string, units: readonly RecordOf<'srm.deviceUnit'>[]): Promise<void> {
    const { entities, context, now } = this.hook
    const at = now.toISOString()
    const stamp = { createdAt: at, createdBy: context.user.staffId, at, byId: context.user.staffId, docCode: this.code, action }
    await inParts(
      units.map(({ id, macAddress }) => ({
        ...{ ...stamp, id: newId(), unitId: id, macBefore: action === 'register' ? null : macAddress, macAfter: macAddress },
      })),
      async (part) => {
        await entities.insertMany('srm.macLog', part)
        return []
      },
    )
  }
}
