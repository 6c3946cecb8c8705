import { Exact, exactText } from '../../../../src/schema/formats'
import { addDays, dayOf, instantAt } from '../../../platform/calendar'
import { averageCost, moveIn, moveOut, type Movement, type OnHand } from '../stock/cost'
import { monthsLater } from '../sale/deliver'
import { buyersOf, iso, put, type SrmChapter } from './suppliers'

const WAREHOUSES = [
  ['SZ', '深圳主仓', 'main', 'CN'],
  ['HK', '香港仓', 'overseas', 'HK'],
  ['SG', '新加坡机房', 'site', 'SG'],
] as const

const SUPPLIERS = [
  ['深圳鼎讯通信设备有限公司', 'CN', 'CNY', 'goip', 14],
  ['Harbor Voice Devices Limited', 'HK', 'USD', 'simBank', 21],
  ['东莞恒天天线有限公司', 'CN', 'CNY', 'antenna', 7],
] as const

/** Key, names, category, model, whether pieces have serial numbers, ports, sale price, minimum and maximum of stock, days that nothing has moved it. */
const PRODUCTS = [
  ['G32', '32口语音网关', '32-port GoIP', 'goip', 'GoIP-32', true, 32, '880', 6, 30],
  ['G8', '8口语音网关', '8-port GoIP', 'goip', 'GoIP-8', true, 8, '460', 8, 30],
  ['S128', '128口卡池', '128-slot SIM bank', 'simBank', 'SB-128', true, 128, '3200', 2, 8],
  ['P2', '桌面IP话机', 'Desk IP phone', 'ipPhone', 'T-210', true, null, '260', 4, 40],
  ['A5', '5dBi天线', '5 dBi antenna', 'antenna', 'ANT-5', false, null, '120', 20, 200],
  ['W12', '12V电源', '12 V power supply', 'accessory', 'PSU-12', false, null, '45', 49, 120],
  ['C4', '4G模块', '4G module', 'accessory', 'M-4G', false, null, '150', 0, 40],
  ['G4', '4口语音网关', '4-port GoIP', 'goip', 'GoIP-4', true, 4, '320', 0, 10],
] as const

/** The product that nothing has ever moved, and the one that is not sold any more. */
const NEVER = 'C4'
const OFF = 'G4'

export type Key = (typeof PRODUCTS)[number][0]
export type Place = (typeof WAREHOUSES)[number][0]
export interface Item {
  key: Key
  qty: number
  /** In CNY; of goods that come in. */
  unitCost?: string
  /** Of goods that come back: what they went out with. */
  cost?: string
  saleLineId?: string
}

export const productId = (key: Key): string => `pr-${key}`
export const warehouseId = (place: Place): string => `wh-${place}`
export const equipmentSupplierId = (index: number): string => `es-${index + 1}`

interface Piece {
  id: string
  serialNo: string
  macAddress: string
}

/** What a document of the demo is made of. */
interface Act {
  kind: string
  place: Place
  daysAgo: number
  items: readonly Item[]
  head?: Readonly<Record<string, unknown>>
}

/** A document that stands there, with its lines as they were written. */
export interface Posted {
  id: string
  code: string
  lines: { id: string; item: Item; cost: string; unitCost: string; pieces: Piece[] }[]
}

/** The stock of the demo company while its documents are made. */
export class Stock {
  private readonly onHand = new Map<string, OnHand>()
  private readonly touched = new Map<string, { lastInAt: string | null; lastOutAt: string | null }>()
  private readonly pieces = new Map<string, Piece[]>()
  private readonly made = { in: 0, out: 0, flow: 0, unit: 0, log: 0 }
  readonly keeper: string
  private readonly locked = new Map<string, number>()
  private readonly unitRows = new Map<string, Record<string, unknown> & { id: string; createdAt: string; createdBy: string }>()

  constructor(private readonly chapter: SrmChapter) {
    const buyers = buyersOf(chapter)
    this.keeper = (buyers.find(({ jobNumber }) => jobNumber === 'S0045') ?? buyers[0])?.id ?? ''
  }

  /** Rows that everything refers to. */
  foundations(): void {
    const { chapter, keeper } = this
    const since = { createdAt: this.at(240), createdBy: keeper }
    const year = this.year
    for (const [code, name, kind, countryCode] of WAREHOUSES)
      put(chapter, 'srm.warehouse', {
        ...{ id: warehouseId(code), code, name, kind, countryCode, managerId: keeper, enabled: true, ...since },
        ...{ address: null, stockQty: '0', stockValue: '0' },
      })
    for (const [index, [name, countryCode, currency, category, leadDays]] of SUPPLIERS.entries())
      put(chapter, 'srm.equipmentSupplier', {
        ...{
          id: equipmentSupplierId(index),
          code: `ES${year}${String(index + 1).padStart(5, '0')}`,
          name,
          countryCode,
          currency,
        },
        ...{ categories: [category], leadDays, warrantyMonths: 12, rating: 5 - index, status: 'on', balance: '0', ...since },
        ...{ paymentMethodId: 'pm-4', taxRate: countryCode === 'CN' ? '13' : '0' },
      })
    for (const [index, [key, name, nameEn, category, model, serialised, ports, price, minStock, maxStock]] of PRODUCTS.entries())
      put(chapter, 'srm.product', {
        ...{ id: productId(key), code: `PR${year}${String(index + 1).padStart(5, '0')}`, name, nameEn, category, model },
        ...{ brand: category === 'accessory' ? null : 'Dinlink', spec: null, unit: 'pcs', serialised, hasMac: serialised, ports },
        ...{ salePrice: price, minStock: String(minStock), maxStock: String(maxStock), purchasePrice: null, warrantyMonths: 12 },
        ...{ defaultSupplierId: key === NEVER ? null : equipmentSupplierId(category === 'antenna' ? 2 : 0) },
        ...{ status: key === OFF ? 'off' : 'on', stockQty: '0', stockValue: '0', avgCost: null, ...since },
      })
  }

  private get year(): string {
    return dayOf(this.chapter.now, this.chapter.timeZone).slice(2, 4)
  }

  /** An instant so many days ago, in the morning; later documents of a day come later. */
  at(daysAgo: number): string {
    const { now, timeZone } = this.chapter
    if (daysAgo < 1) return iso(new Date(now.getTime() - (1 - daysAgo) * 3_600_000))
    const day = addDays(dayOf(now, timeZone), -Math.floor(daysAgo))
    return iso(new Date(instantAt(day, '10:00', timeZone).getTime() + this.made.flow * 60_000))
  }

  receive(act: Act): Posted {
    const at = this.at(act.daysAgo)
    const code = this.code('in')
    const id = `si-${code}`
    const lines = act.items.map((item, index) => {
      const movement = moveIn(this.stockOf(act.place, item.key), String(item.qty), item.unitCost ?? '0', item.cost)
      const pieces = this.serialised(item.key) && act.kind !== 'saleReturn' ? this.register(id, item, at) : []
      const line = this.line(`${id}-${index + 1}`, item, movement, pieces)
      this.shelve(pieces, act.place, { inDocId: id, inCost: movement.unitCost }, at)
      if (act.kind === 'purchase') this.lastPrice(item.key, movement.unitCost)
      this.flow(act.place, line, { movement, kind: act.kind, at, doc: { type: 'stockIn', id, code } })
      return line
    })
    this.document('in', { id, code, act, at, status: 'posted', lines })
    return { id, code, lines }
  }

  send(act: Act): Posted {
    const at = this.at(act.daysAgo)
    const code = this.code('out')
    const id = `so-${code}`
    const lines = act.items.map((item, index) => {
      const movement = moveOut(this.stockOf(act.place, item.key), String(item.qty))
      if (!movement) throw new Error(`The demo has no ${item.qty} of ${item.key} in ${act.place}.`)
      const pieces = this.serialised(item.key) ? this.take(act.place, item) : []
      const line = this.line(`${id}-${index + 1}`, item, movement, pieces)
      const status = { move: 'moving', ownUse: 'inUse', sale: 'sold', rent: 'rented' }[act.kind] ?? 'scrapped'
      const soldAt = act.kind === 'sale' ? dayOf(new Date(at), this.chapter.timeZone) : null
      const customer = {
        customerId: act.head?.customerId ?? null,
        soldAt,
        warrantyUntil: soldAt === null ? null : monthsLater(soldAt, 12),
      }
      for (const { id: unit } of pieces)
        this.change(
          unit,
          { status, warehouseId: null, outDocId: id, gatewayName: act.head?.gatewayName ?? null, ...customer },
          at,
        )
      this.flow(act.place, line, {
        movement,
        kind: act.kind === 'move' ? 'moveOut' : act.kind,
        at,
        doc: { type: 'stockOut', id, code },
      })
      return line
    })
    this.document('out', { id, code, act, at, status: 'posted', lines })
    return { id, code, lines }
  }

  /** A stock-out that waits to be shipped. */
  wait(act: Act): void {
    const code = this.code('out')
    const lines = act.items.map((item, index) => ({ id: `so-${code}-${index + 1}`, item, cost: '', unitCost: '', pieces: [] }))
    this.document('out', { id: `so-${code}`, code, act, at: this.at(act.daysAgo), status: 'draft', lines })
  }

  /** Keeps something of the stock for a sale. Answers the row of the stock. */
  lock(place: Place, key: Key, qty: number): string {
    const at = `${warehouseId(place)} ${productId(key)}`
    this.locked.set(at, (this.locked.get(at) ?? 0) + qty)
    return `st-${warehouseId(place)}-${productId(key)}`
  }

  /** Goods go to another warehouse; without a day of arrival they are still on the way. */
  move(from: Place, to: Place, daysAgo: number, items: readonly Item[], arrived?: number): void {
    const sent = this.send({ kind: 'move', place: from, daysAgo, items, head: { toWarehouseId: warehouseId(to) } })
    const at = this.at(arrived ?? daysAgo)
    const code = this.code('in')
    const id = `si-${code}`
    const act: Act = { kind: 'move', place: to, daysAgo: arrived ?? daysAgo, items, head: { transferOutId: sent.id } }
    const lines = sent.lines.map((line, index) => {
      const own = { ...line, id: `${id}-${index + 1}`, outLineId: line.id }
      if (arrived === undefined) return { ...own, cost: '', unitCost: '' }
      const movement = moveIn(this.stockOf(to, line.item.key), String(line.item.qty), line.unitCost, line.cost)
      this.shelve(line.pieces, to, { inDocId: id, inCost: line.unitCost, outDocId: null }, at)
      this.flow(to, own, { movement, kind: 'moveIn', at, doc: { type: 'stockIn', id, code } })
      return own
    })
    this.document('in', { id, code, act, at, status: arrived === undefined ? 'draft' : 'posted', lines })
  }

  /** A stock-in that was wrong: its flows once more with the other sign; its pieces were never here. */
  reverse({ id, code, lines }: Posted, place: Place, daysAgo: number): void {
    const at = this.at(daysAgo)
    for (const line of lines) {
      const movement = moveOut(this.stockOf(place, line.item.key), String(line.item.qty), line.unitCost)
      if (!movement) throw new Error('The demo reverses what is gone.')
      this.flow(place, line, { movement, kind: 'reverse', at, doc: { type: 'stockIn', id, code } })
      this.take(place, line.item)
      for (const { id: unit } of line.pieces) this.change(unit, { deletedAt: at, warehouseId: null }, at)
    }
    const row = this.chapter.rows['srm.stockIn']?.findIndex((one) => one.id === id) ?? -1
    if (row >= 0) this.chapter.rows['srm.stockIn']![row] = { ...this.chapter.rows['srm.stockIn']![row]!, status: 'reversed' }
    this.chapter.rows['srm.stockInLine'] = this.chapter.rows['srm.stockInLine']!.map((line) =>
      line.stockInId === id ? { ...line, postedQty: '0', postedCost: '0' } : line,
    )
  }

  /** What lies where, and the sums that products and warehouses show. */
  finish(): void {
    const { chapter } = this
    for (const [place, { qty, value }] of this.onHand) {
      const [warehouse, product] = place.split(' ') as [string, string]
      const { minStock, maxStock } = chapter.rows['srm.product']!.find(({ id }) => id === product)!
      const lockedQty = String(this.locked.get(place) ?? 0)
      const availableQty = exactText(new Exact(qty).minus(lockedQty))
      const below = new Exact(availableQty).lt(String(minStock))
      put(chapter, 'srm.stock', {
        ...{ id: `st-${warehouse}-${product}`, warehouseId: warehouse, productId: product, qty, value, lockedQty, availableQty },
        avgCost: averageCost({ qty, value }),
        alarm: below ? 'below' : new Exact(availableQty).gt(String(maxStock)) ? 'over' : null,
        toPlan: below ? exactText(new Exact(String(maxStock)).minus(availableQty)) : null,
        ...this.touched.get(place),
        ...{ createdAt: this.at(200), createdBy: this.keeper },
      })
    }
    for (const entity of ['srm.product', 'srm.warehouse'] as const) {
      const field = entity === 'srm.product' ? 'productId' : 'warehouseId'
      chapter.rows[entity] = chapter.rows[entity]!.map((row) => {
        const own = (chapter.rows['srm.stock'] ?? []).filter((stock) => stock[field] === row.id)
        const sum = (name: string): string =>
          exactText(own.reduce((total, stock) => total.plus(String(stock[name])), new Exact(0)))
        const [stockQty, stockValue] = [sum('qty'), sum('value')]
        const average = entity === 'srm.product' ? { avgCost: averageCost({ qty: stockQty, value: stockValue }) } : {}
        return { ...row, stockQty, stockValue, ...average }
      })
    }
    for (const unit of this.unitRows.values()) put(chapter, 'srm.deviceUnit', unit)
  }

  private code(side: 'in' | 'out'): string {
    this.made[side] += 1
    return `${side === 'in' ? 'SI' : 'SO'}${this.year}${String(this.made[side]).padStart(5, '0')}`
  }

  private serialised(key: Key): boolean {
    return PRODUCTS.some(([one, , , , , serialised]) => one === key && serialised)
  }

  private stockOf(place: Place, key: Key): OnHand {
    return this.onHand.get(`${warehouseId(place)} ${productId(key)}`) ?? { qty: '0', value: '0' }
  }

  private line(id: string, item: Item, { amount, unitCost }: Movement, pieces: Piece[]): Posted['lines'][number] {
    return { id, item, cost: exactText(new Exact(amount).abs()), unitCost, pieces }
  }

  private lastPrice(key: Key, purchasePrice: string): void {
    const rows = this.chapter.rows['srm.product']!
    const index = rows.findIndex(({ id }) => id === productId(key))
    rows[index] = { ...rows[index]!, purchasePrice }
  }

  private register(docId: string, { key, qty }: Item, at: string): Piece[] {
    return Array.from({ length: qty }, () => {
      this.made.unit += 1
      const number = this.made.unit
      // addresses that are locally administered belong to nobody
      const macAddress = `02:1A:C5:00:${[number >> 8, number & 255].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':')}`
      const piece = { id: `du-${number}`, serialNo: `${key}${String(number).padStart(6, '0')}`, macAddress }
      this.unitRows.set(piece.id, {
        ...piece,
        ...{ productId: productId(key), status: 'inStock', licenceState: key === 'P2' ? 'none' : 'active', remark: null },
        ...{ createdAt: at, createdBy: this.keeper },
      })
      this.log(piece, 'register', docId.slice('si-'.length), at)
      return piece
    })
  }

  private log({ id, macAddress }: Piece, action: string, docCode: string, at: string): void {
    this.made.log += 1
    put(this.chapter, 'srm.macLog', {
      ...{ id: `ml-${this.made.log}`, unitId: id, macBefore: action === 'register' ? null : macAddress, macAfter: macAddress },
      ...{ action, docCode, reason: null, byId: this.keeper, at, createdAt: at, createdBy: this.keeper },
    })
  }

  private shelve(pieces: readonly Piece[], place: Place, values: Record<string, unknown>, at: string): void {
    for (const { id } of pieces) {
      this.change(id, { status: 'inStock', warehouseId: warehouseId(place), ...values }, at)
    }
    for (const piece of pieces) {
      const key = `${place} ${piece.serialNo.replace(/\d{6}$/, '')}`
      this.pieces.set(key, [...(this.pieces.get(key) ?? []), piece])
    }
  }

  private take(place: Place, { key, qty }: Item): Piece[] {
    return (this.pieces.get(`${place} ${key}`) ?? []).splice(0, qty)
  }

  private change(id: string, values: Record<string, unknown>, at: string): void {
    this.unitRows.set(id, { ...this.unitRows.get(id)!, ...values, updatedAt: at })
  }

  private flow(
    place: Place,
    { id: docLineId, item }: Posted['lines'][number],
    {
      movement,
      kind,
      at,
      doc,
    }: { movement: Movement; kind: string; at: string; doc: { type: string; id: string; code: string } },
  ): void {
    this.made.flow += 1
    const { qty, unitCost, amount, after, variance } = movement
    const incoming = !qty.startsWith('-')
    const key = `${warehouseId(place)} ${productId(item.key)}`
    this.onHand.set(key, after)
    this.touched.set(key, {
      lastInAt: null,
      lastOutAt: null,
      ...this.touched.get(key),
      [incoming ? 'lastInAt' : 'lastOutAt']: at,
    })
    put(this.chapter, 'srm.stockFlow', {
      ...{
        id: `sf-${String(this.made.flow).padStart(5, '0')}`,
        at,
        warehouseId: warehouseId(place),
        productId: productId(item.key),
      },
      ...{
        kind,
        direction: incoming ? 'in' : 'out',
        qty,
        unitCost,
        amount,
        variance,
        qtyAfter: after.qty,
        valueAfter: after.value,
      },
      ...{ docType: doc.type, docId: doc.id, docCode: doc.code, docLineId, seq: 1, operatorId: this.keeper },
      ...{ createdAt: at, createdBy: this.keeper },
    })
  }

  private document(
    side: 'in' | 'out',
    {
      id,
      code,
      act: { kind, place, head },
      at,
      status,
      lines,
    }: {
      id: string
      code: string
      act: Act
      at: string
      status: string
      lines: (Posted['lines'][number] & { outLineId?: string })[]
    },
  ): void {
    const { chapter, keeper } = this
    const stamp = { createdAt: at, createdBy: keeper }
    const posted = status !== 'draft'
    const total = (values: readonly (string | number)[]): string =>
      exactText(values.reduce<Exact>((sum, value) => sum.plus(String(value)), new Exact(0)))
    const entity = side === 'in' ? 'srm.stockIn' : 'srm.stockOut'
    put(chapter, entity, {
      ...{ id, code, kind: kind === 'rent' ? 'sale' : kind, warehouseId: warehouseId(place), status, ...stamp, ...head },
      totalQty: total(lines.map(({ item }) => item.qty)),
      totalCost: posted ? total(lines.map(({ cost }) => cost)) : null,
      ...{ postedAt: posted ? at : null, postedById: posted ? keeper : null },
      ...(side === 'in' ? { receivedOn: dayOf(new Date(at), chapter.timeZone) } : {}),
    })
    for (const [index, line] of lines.entries())
      put(chapter, `${entity}Line`, {
        ...{
          id: line.id,
          [side === 'in' ? 'stockInId' : 'stockOutId']: id,
          position: index + 1,
          productId: productId(line.item.key),
        },
        ...{ qty: String(line.item.qty), unitCost: line.unitCost || null, cost: line.cost || null },
        units: line.pieces.map(({ serialNo, macAddress }) => `${serialNo} ${macAddress}`).join('\n') || null,
        ...{ postedQty: posted ? String(line.item.qty) : '0', postedCost: posted ? line.cost || '0' : '0' },
        ...(line.outLineId === undefined ? {} : { outLineId: line.outLineId }),
        ...(line.item.saleLineId === undefined ? {} : { saleLineId: line.item.saleLineId }),
        ...stamp,
      })
  }
}
