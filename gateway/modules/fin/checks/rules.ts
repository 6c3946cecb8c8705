import { Exact, exactText } from '../../../../src/schema/formats'

/** An amount that is nothing: VOS and banks round each line to a cent. */
const CENT = '0.01'
/** What VOS may differ by (money 4.2): a cent, or this share of our balance in per cent. */
const VOS_TOLERANCE_PCT = '0.05'
/** Decimals of a difference in per cent. */
const PCT_DIGITS = 4
/** Days that a bank may book later or earlier than we did, for lines without a common reference. */
const BANK_DAYS = 3

/** What a statement and our books differ by. */
export interface Difference {
  /** Theirs less ours. */
  diff: string
  /** In per cent of ours; null when ours is 0. */
  diffPct: string | null
  within: boolean
}

/** Theirs less ours; within is what stays below so many per cent of ours, or below `least`. */
export function differenceOf(theirs: string, ours: string, tolerancePct: string, least = '0'): Difference {
  const diff = new Exact(theirs).minus(ours)
  const base = new Exact(ours).abs()
  const allowed = base.times(tolerancePct).dividedBy(100)
  return {
    diff: exactText(diff),
    diffPct: base.isZero() ? null : exactText(diff.times(100).dividedBy(base).toDecimalPlaces(PCT_DIGITS)),
    within: !diff.abs().gt(allowed) || !diff.abs().gt(least),
  }
}

/** VOS closing against ours, in the currency of the account: 0.01 or 0.05 % (money 4.2 `fin.vosBalance`). */
export const vosDifference = (vosClosing: string, ourClosing: string): Difference =>
  differenceOf(vosClosing, ourClosing, VOS_TOLERANCE_PCT, CENT)

/** A line of a statement, or of our books for the same account. */
export interface Figure {
  /** YYYY-MM-DD. */
  day: string
  countryCode: string | null
  network: string | null
  reference: string | null
  qty: number | null
  amount: string
}

/** Dictionary `proofResult`. */
export type ProofResult = 'match' | 'difference' | 'missingOurs' | 'missingTheirs'
/** Dictionary `diffCause`. */
export type DiffCause = 'timeZone' | 'unknownDlr' | 'price' | 'missing' | 'duplicate' | 'rounding'

/** A key with what both sides say of it. */
export interface ComparedLine {
  key: string
  day: string
  countryCode: string | null
  network: string | null
  reference: string | null
  ourQty: number | null
  theirQty: number | null
  ourAmount: string | null
  theirAmount: string | null
  diffAmount: string
  diffPct: string | null
  result: ProofResult
  /** What it most likely comes from; a person may say otherwise. */
  cause: DiffCause | null
}

interface Group {
  key: string
  figures: readonly Figure[]
}

/**
 * Compares our figures with theirs (money 4.2 `fin.proofread`). Traffic is matched by day, country and network; what one side does not
 * know of every line is left out of the key, so that a statement by day is compared by day. Banks and Kingdee are matched by reference,
 * what has none in common by equal amounts of near days.
 */
export function compareFigures(
  ours: readonly Figure[],
  theirs: readonly Figure[],
  { by, tolerancePct }: { by: 'traffic' | 'reference'; tolerancePct: string },
): ComparedLine[] {
  const keyOf = by === 'reference' ? referenceKey : trafficKey([...ours, ...theirs])
  const [own, other] = [grouped(ours, keyOf), grouped(theirs, keyOf)]
  const pairs = [...new Set([...own.keys(), ...other.keys()])].map((key) => [own.get(key), other.get(key)] as const)
  const joined = by === 'reference' ? joinByAmount(pairs) : pairs
  const lines = joined.map(([mine, yours]) => lineOf(mine, yours, tolerancePct))
  lines.sort((a, b) => a.day.localeCompare(b.day) || a.key.localeCompare(b.key))
  for (const line of lines) line.cause ??= line.result === 'match' ? null : neighbourCause(line, lines)
  return lines
}

const referenceKey = ({ reference, day, amount }: Figure): string => reference?.trim().toUpperCase() || `${day} ${amount}`

function trafficKey(all: readonly Figure[]): (figure: Figure) => string {
  const known = (['countryCode', 'network'] as const).filter((part) => all.every((figure) => figure[part]))
  return (figure) => [figure.day, ...known.map((part) => figure[part])].join(' ')
}

function grouped(figures: readonly Figure[], keyOf: (figure: Figure) => string): Map<string, Group> {
  const found = new Map<string, Figure[]>()
  for (const figure of figures) {
    const key = keyOf(figure)
    const own = found.get(key)
    if (own) own.push(figure)
    else found.set(key, [figure])
  }
  return new Map([...found].map(([key, own]) => [key, { key, figures: own }]))
}

type Pair = readonly [ours: Group | undefined, theirs: Group | undefined]

/** Lines that only one side has are joined with one of the same amount on the other side, at most some days apart. */
function joinByAmount(pairs: readonly Pair[]): Pair[] {
  const theirs = pairs.flatMap(([mine, yours]) => (mine || !yours ? [] : [yours]))
  const used = new Set<Group>()
  const joined = pairs.flatMap(([mine, yours]): Pair[] => {
    if (!mine || yours) return mine ? [[mine, yours]] : []
    const other = theirs.find(
      (one) =>
        !used.has(one) && amountOf(one) === amountOf(mine) && daysApart(one.figures[0]!.day, mine.figures[0]!.day) <= BANK_DAYS,
    )
    if (other) used.add(other)
    return [[mine, other]]
  })
  return [...joined, ...theirs.filter((one) => !used.has(one)).map((one): Pair => [undefined, one])]
}

const DAY_MS = 86_400_000
const daysApart = (a: string, b: string): number => Math.abs(Date.parse(a) - Date.parse(b)) / DAY_MS
const amountOf = ({ figures }: Group): string => exactText(figures.reduce((sum, { amount }) => sum.plus(amount), new Exact(0)))
const qtyOf = ({ figures }: Group): number | null =>
  figures.some(({ qty }) => qty === null) ? null : figures.reduce((sum, { qty }) => sum + (qty ?? 0), 0)
const shared = (figures: readonly Figure[], part: 'countryCode' | 'network' | 'reference'): string | null =>
  figures.every((one) => one[part] === figures[0]?.[part]) ? (figures[0]?.[part] ?? null) : null

function lineOf(ours: Group | undefined, theirs: Group | undefined, tolerancePct: string): ComparedLine {
  const any = (ours ?? theirs)!
  const all = [...(ours?.figures ?? []), ...(theirs?.figures ?? [])]
  const [ourAmount, theirAmount] = [ours ? amountOf(ours) : null, theirs ? amountOf(theirs) : null]
  const { diff, diffPct, within } = differenceOf(theirAmount ?? '0', ourAmount ?? '0', tolerancePct)
  const result = !ours ? 'missingOurs' : !theirs ? 'missingTheirs' : within ? 'match' : 'difference'
  const line: ComparedLine = {
    ...{ key: any.key, day: any.figures[0]!.day, countryCode: shared(all, 'countryCode'), network: shared(all, 'network') },
    reference: shared(any.figures, 'reference'),
    ...{ ourQty: ours ? qtyOf(ours) : null, theirQty: theirs ? qtyOf(theirs) : null, ourAmount, theirAmount },
    ...{ diffAmount: diff, diffPct, result, cause: null },
  }
  if (result === 'difference') line.cause = ownCause(line, theirs!)
  return line
}

/** What a line alone tells of its difference. */
function ownCause({ diffAmount, ourQty, theirQty }: ComparedLine, theirs: Group): DiffCause | null {
  const diff = new Exact(diffAmount)
  if (!diff.abs().gt(CENT)) return 'rounding'
  const seen = new Set<string>()
  for (const figure of theirs.figures) {
    const same = JSON.stringify(figure)
    if (seen.has(same) && exactText(new Exact(figure.amount)) === diffAmount) return 'duplicate'
    seen.add(same)
  }
  return ourQty !== null && ourQty === theirQty ? 'price' : null
}

/** A difference that the day before or after takes back comes from the time zone; other quantities from receipts that came late. */
function neighbourCause(line: ComparedLine, lines: readonly ComparedLine[]): DiffCause | null {
  if (line.result !== 'difference') return 'missing'
  const near = lines.some(
    (one) =>
      one !== line &&
      daysApart(one.day, line.day) === 1 &&
      one.countryCode === line.countryCode &&
      one.network === line.network &&
      !new Exact(one.diffAmount).plus(line.diffAmount).abs().gt(CENT),
  )
  if (near) return 'timeZone'
  return line.ourQty !== null && line.theirQty !== null ? 'unknownDlr' : null
}

/** What all lines come to. */
export interface ComparedTotals {
  ourQty: number | null
  theirQty: number | null
  diffQty: number | null
  ourAmount: string
  theirAmount: string
  diffAmount: string
  diffPct: string | null
  within: boolean
  lineCount: number
  /** Lines that do not match. */
  diffCount: number
}

export function comparedTotals(lines: readonly ComparedLine[], tolerancePct: string): ComparedTotals {
  const amount = (which: 'ourAmount' | 'theirAmount'): string =>
    exactText(lines.reduce((sum, line) => sum.plus(line[which] ?? '0'), new Exact(0)))
  const qty = (which: 'ourQty' | 'theirQty', of: 'ourAmount' | 'theirAmount'): number | null => {
    const own = lines.filter((line) => line[of] !== null)
    return own.length === 0 || own.some((line) => line[which] === null) ? null : own.reduce((sum, line) => sum + line[which]!, 0)
  }
  const [ourAmount, theirAmount] = [amount('ourAmount'), amount('theirAmount')]
  const [ourQty, theirQty] = [qty('ourQty', 'ourAmount'), qty('theirQty', 'theirAmount')]
  const { diff, diffPct, within } = differenceOf(theirAmount, ourAmount, tolerancePct)
  return {
    ...{ ourQty, theirQty, diffQty: ourQty === null || theirQty === null ? null : theirQty - ourQty },
    ...{ ourAmount, theirAmount, diffAmount: diff, diffPct, within },
    ...{ lineCount: lines.length, diffCount: lines.filter(({ result }) => result !== 'match').length },
  }
}
