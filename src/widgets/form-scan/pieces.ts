import { macOf, readUnits, type ScannedUnit } from '../../schema/formats'

/** Why a piece is not taken. */
export type Fault = 'mac' | 'noMac' | 'twice' | 'registered' | 'inStock' | 'unknown' | 'elsewhere' | 'gone' | 'otherProduct'

/** A piece that was refused: where it came from, and with what it collides. */
export interface Refused {
  text: string
  fault: Fault
  /** Line of the file or of what was pasted, from 1. */
  line?: number
  /** The warehouse, product or state that stands in the way, as people read it. */
  with?: string
}

/** A known piece as the gateway tells it. */
export interface KnownPiece {
  serialNo: string
  macAddress: string | null
  status: string
  productId: string | null
  warehouseId: string | null
  product: string
  warehouse: string
}

/** What the document expects. */
export interface Expected {
  direction: 'in' | 'out'
  backFrom: string | undefined
  productId: string | null
  placeId: string | null
}

/** Pieces in the order in which they came, each once. Nothing in it grows slower than the number of pieces. */
export class Pieces {
  private readonly units: ScannedUnit[] = []
  private readonly seen = new Set<string>()

  constructor(text: string) {
    for (const unit of readUnits(text, false).units) this.add(unit)
  }

  get size(): number {
    return this.units.length
  }

  /** False when its serial number or MAC is there already. */
  add(unit: ScannedUnit): boolean {
    if (this.has(unit)) return false
    this.units.push(unit)
    this.seen.add(unit.serialNo)
    if (unit.mac !== null) this.seen.add(unit.mac)
    return true
  }

  has({ serialNo, mac }: ScannedUnit): boolean {
    return this.seen.has(serialNo) || (mac !== null && this.seen.has(mac)) || this.seen.has(macOf(serialNo) ?? '')
  }

  remove(unit: ScannedUnit): void {
    const at = this.units.findLastIndex(({ serialNo }) => serialNo === unit.serialNo)
    if (at < 0) return
    const [gone] = this.units.splice(at, 1)
    this.seen.delete(gone!.serialNo)
    if (gone!.mac !== null) this.seen.delete(gone!.mac)
  }

  /** The last ones, the latest first. */
  last(count: number): ScannedUnit[] {
    return this.units.slice(-count).reverse()
  }

  /** A piece a line, as a line of a document keeps them. */
  text(): string {
    return this.units.map(({ serialNo, mac }) => (mac === null ? serialNo : `${serialNo} ${mac}`)).join('\n')
  }
}

/** Reads lines that were scanned, pasted or in a file; what cannot be a piece is told with its line. */
export function readLines(text: string, needsMac: boolean): { units: (ScannedUnit & { line: number })[]; refused: Refused[] } {
  const units: (ScannedUnit & { line: number })[] = []
  const refused: Refused[] = []
  for (const [index, line] of text.split(/\r?\n|;/).entries()) {
    if (line.trim() === '') continue
    const read = readUnits(line, needsMac)
    const [unit] = read.units
    const [problem] = read.problems
    if (unit) units.push({ ...unit, line: index + 1 })
    else refused.push({ text: line.trim(), fault: problem?.why ?? 'mac', line: index + 1 })
  }
  return { units, refused }
}

/**
 * One scanned label joined with that of before: a piece with serial number and MAC is two labels, scanned one after the other. Answers the line of
 * the piece, and the serial number whose MAC comes next.
 */
export function joinLabels(line: string, before: string | null, needsMac: boolean): { line: string } | { waitsFor: string } {
  const label = line.trim()
  if (!needsMac || /[\r\n;]/.test(label)) return { line: label }
  if (before !== null && macOf(label) !== null) return { line: `${before} ${label}` }
  const alone = readUnits(label, true).problems[0]?.why === 'noMac'
  return alone && before === null && macOf(label) === null ? { waitsFor: label } : { line: label }
}

/** What is known of a piece against what the document expects; null when it fits. */
export function judge(unit: ScannedUnit, known: KnownPiece | undefined, expected: Expected): Refused | null {
  const text = unit.mac === null ? unit.serialNo : `${unit.serialNo} ${unit.mac}`
  if (expected.direction === 'in') {
    if (!known || (expected.backFrom ?? '').split(' ').includes(known.status)) return null
    return known.status === 'inStock'
      ? { text, fault: 'inStock', with: known.warehouse }
      : { text, fault: 'registered', with: known.product }
  }
  if (!known) return { text, fault: 'unknown' }
  if (known.status !== 'inStock') return { text, fault: 'gone', with: known.product }
  if (expected.placeId !== null && known.warehouseId !== expected.placeId)
    return { text, fault: 'elsewhere', with: known.warehouse }
  if (expected.productId !== null && known.productId !== expected.productId)
    return { text, fault: 'otherProduct', with: known.product }
  return null
}
