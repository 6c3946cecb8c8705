/** One piece of a serialised product as it was scanned or pasted. */
export interface ScannedUnit {
  serialNo: string
  /** Normalised; null where none was given. */
  mac: string | null
}

/** What is wrong with one of the pieces: the line it stands in, from 1. */
export interface UnitProblem {
  line: number
  text: string
  why: 'mac' | 'noMac' | 'twice'
}

const HEX = /^[0-9A-F]{12}$/

/**
 * A MAC address in any notation (`aa-bb-cc-00-11-22`, `AABB.CC00.1122`) as `AA:BB:CC:00:11:22`; null for what is none: another form, all
 * zero, or multicast (customers-suppliers 10).
 */
export function macOf(text: string): string | null {
  const digits = text.replace(/[\s:.-]/g, '').toUpperCase()
  if (!HEX.test(digits) || /^0+$/.test(digits) || (parseInt(digits.slice(0, 2), 16) & 1) === 1) return null
  return digits.match(/../g)!.join(':')
}

/** Reads scanned or pasted pieces, one a line or with a semicolon between: the serial number, then the MAC after a space, tab or comma. */
export function readUnits(text: string, hasMac: boolean): { units: ScannedUnit[]; problems: UnitProblem[] } {
  const units: ScannedUnit[] = []
  const problems: UnitProblem[] = []
  const seen = new Set<string>()
  for (const [index, raw] of text.split(/\r?\n|;/).entries()) {
    const line = raw.trim()
    if (line === '') continue
    const [serialNo = '', ...rest] = line.split(/[\s,]+/)
    const typed = rest.join('')
    const mac = typed === '' ? null : macOf(typed)
    const problem = (why: UnitProblem['why']): number => problems.push({ line: index + 1, text: line, why })
    if (typed !== '' && mac === null) problem('mac')
    else if (hasMac && mac === null) problem('noMac')
    else if (seen.has(serialNo) || (mac !== null && seen.has(mac))) problem('twice')
    else units.push({ serialNo, mac })
    seen.add(serialNo)
    if (mac !== null) seen.add(mac)
  }
  return { units, problems }
}
