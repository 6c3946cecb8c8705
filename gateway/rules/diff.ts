import type { Executor } from '../platform/database'
import type { Text } from '../platform/http'
import type { ParamName } from './paramsSchema'
import { isPlain } from './resolve'

/** One parameter that differs between two versions. */
export interface ParamChange {
  path: string
  title: Text
  before: unknown
  after: unknown
  /** What the entries of a list, and codes among the values, are called. */
  words?: ParamName['words']
}

/** What changed from one set of parameters to another, path by path; lists are compared whole. */
export function diffParams(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, ParamName>,
  path = '',
): ParamChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): ParamChange[] => {
    const [a, b] = [before[name] ?? null, after[name] ?? null]
    const at = path === '' ? name : `${path}.${name}`
    if (isPlain(a) && isPlain(b)) return diffParams(a, b, names, at)
    const { title = { zh: at, en: at }, words } = names.get(at) ?? {}
    return same(a, b) ? [] : [{ path: at, title, before: a, after: b, ...(words ? { words } : {}) }]
  })
}

/** The changed top-level parameters alone: what an exception keeps. */
export function changedOnly(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const old = before[name]
      if (isPlain(old) && isPlain(value)) {
        const inner = changedOnly(old, value)
        return Object.keys(inner).length > 0 ? [[name, inner]] : []
      }
      return same(old ?? null, value ?? null) ? [] : [[name, value]]
    }),
  )
}

/** Changes with the names of the departments that they hold by id, also of those that are gone. */
export async function withDepartmentNames(db: Executor, changes: ParamChange[]): Promise<ParamChange[]> {
  const isAbout = ({ words }: ParamChange): boolean => words?.['']?.departments === true
  if (!changes.some(isAbout)) return changes
  const { rows } = await db.query<Text & { id: string }>(
    `select id, name as zh, coalesce(nullif(name_en, ''), name) as en from sys_department`,
  )
  const choices = Object.fromEntries(rows.map(({ id, zh, en }) => [id, { zh, en }]))
  return changes.map((change) => (isAbout(change) ? { ...change, words: { ...change.words, '': { choices } } } : change))
}

/** Members in one order: a number and its text mean the same amount. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] ?? null)]),
  )
}
