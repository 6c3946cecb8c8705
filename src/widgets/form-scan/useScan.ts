import { useEffect, useRef, useState } from 'react'
import type { ScannedUnit } from '../../schema/formats'
import { useHost } from '../../runtime/hostContext'
import { lookUp } from './lookup'
import { joinLabels, judge, readLines, type Expected, type Pieces, type Refused } from './pieces'
import { beep } from './sound'
import { TEXTS } from './texts'

/** How long scans may be gathered before the form hears of them, in milliseconds: a text of 50,000 lines is not built for each. */
const QUIET = 400

/** What was said last: a sentence, whether it is good news, and how many sentences came before it. */
export interface Said {
  good: boolean
  sentence: string
  count: number
}

export interface Scan {
  said: Said | null
  refused: readonly Refused[]
  /** Part of the pieces that are checked, while some are. */
  checking: number | null
  /** Takes one scanned line, or many that were pasted or read from a file. */
  take(text: string): Promise<void>
  undo(): void
  remove(unit: ScannedUnit): void
  fail(sentence: string): void
  /** Gives the form what is still gathered. */
  flush(): void
}

interface Parts {
  pieces: Pieces
  expected: Expected
  path: string
  products: string
  onText(text: string): void
}

const shown = (unit: ScannedUnit): string => (unit.mac === null ? unit.serialNo : `${unit.serialNo} ${unit.mac}`)

/** Scanning: what is taken stands in `pieces` at once and is taken back when the gateway knows better. */
export function useScan({ pieces, expected, path, products, onText }: Parts): Scan {
  const host = useHost()
  const texts = TEXTS[host.locale]
  const [said, setSaid] = useState<Said | null>(null)
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [checking, setChecking] = useState<number | null>(null)
  const needsMac = useNeedsMac(products, expected)
  /** A serial number that was scanned and whose MAC comes next. */
  const half = useRef<string | null>(null)
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null)
  const tell = useRef(onText)
  useEffect(() => {
    tell.current = onText
  })

  const say = (good: boolean, sentence: string): void => {
    beep(good)
    setSaid((before) => ({ good, sentence, count: (before?.count ?? 0) + 1 }))
  }
  const flush = (): void => {
    if (waiting.current === null) return
    clearTimeout(waiting.current)
    waiting.current = null
    tell.current(pieces.text())
  }
  const changed = (): void => {
    if (waiting.current !== null) clearTimeout(waiting.current)
    waiting.current = setTimeout(flush, QUIET)
  }
  const sentenceOf = ({ fault, text, with: other = '' }: Refused): string => texts.faults[fault](text, other)

  const take = async (text: string): Promise<void> => {
    if (expected.productId === null || expected.placeId === null) return say(false, texts.noProduct)
    const withMac = (await needsMac()) && expected.direction === 'in'
    const joined = joinLabels(text, half.current, withMac)
    half.current = 'waitsFor' in joined ? joined.waitsFor : null
    if ('waitsFor' in joined) return say(true, texts.nowMac(joined.waitsFor))
    const read = readLines(joined.line, withMac)
    const wrong: Refused[] = [...read.refused]
    const fresh = read.units.filter((unit) => {
      if (pieces.add(unit)) return true
      wrong.push({ text: shown(unit), fault: 'twice', line: unit.line })
      return false
    })
    const many = read.units.length + read.refused.length > 1
    try {
      const known = fresh.length === 0 ? () => undefined : await lookUp(host, path, fresh, many ? setChecking : undefined)
      for (const unit of fresh) {
        const fault = judge(unit, known(unit), expected)
        if (!fault) continue
        pieces.remove(unit)
        wrong.push({ ...fault, line: unit.line })
      }
    } catch {
      for (const unit of fresh) pieces.remove(unit)
      return say(false, texts.failed)
    } finally {
      setChecking(null)
    }
    if (fresh.length > 0) changed()
    const added = fresh.length - wrong.filter(({ fault }) => fault !== 'twice' && fault !== 'mac' && fault !== 'noMac').length
    wrong.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
    if (wrong.length > 0) setRefused((before) => [...(many ? wrong : wrong.map(({ line: _, ...one }) => one)), ...before])
    if (many) say(wrong.length === 0, texts.added(added, wrong.length))
    else if (wrong[0]) say(false, sentenceOf(wrong[0]))
    else if (fresh[0]) say(true, texts.taken(shown(fresh[0])))
  }
  const remove = (unit: ScannedUnit): void => {
    pieces.remove(unit)
    changed()
    setSaid((before) => ({ good: true, sentence: texts.undone(shown(unit)), count: (before?.count ?? 0) + 1 }))
  }
  return {
    ...{ said, refused, checking, take, remove, flush },
    undo: () => {
      const [last] = pieces.last(1)
      if (last) remove(last)
    },
    fail: (sentence) => say(false, sentence),
  }
}

/** Whether a product's pieces need a MAC; asked once, and taken for no where it cannot be said. */
function useNeedsMac(products: string, { productId }: Expected): () => Promise<boolean> {
  const host = useHost()
  const answer = useRef<Promise<boolean> | null>(null)
  return () => {
    answer.current ??= host
      .request<{ record: { hasMac?: unknown } }>({ method: 'GET', path: `${products}/view/${productId ?? ''}` })
      .then(
        ({ record }) => record.hasMac === true,
        () => {
          answer.current = null
          return false
        },
      )
    return answer.current
  }
}
