import type { Change } from '../overlay'
import type { Json, MigratedType, Migration } from './migration'

const FIELD_WORDS: Readonly<Record<string, string>> = {
  'x-provided': 'x-virtual',
  'x-setOnce': 'x-immutable',
  'x-existing': 'x-backfill',
}
/** Free values, in which a word is somebody else's. */
const OPAQUE: ReadonlySet<string> = new Set(['default', 'enum', 'x-existing'])
/** Form pages of examples that were called otherwise. */
const TEST_PAGES: ReadonlySet<string> = new Set(['crm/bench-allow-buka', 'crm/bench-blacklist', 'crm/bench-duplicate'])
const OLD_CALL = 'POST /v2/sys/rule/bench/'

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const word = (name: string): string => (Object.hasOwn(FIELD_WORDS, name) ? FIELD_WORDS[name]! : name)
const testPage = (name: string): string => (TEST_PAGES.has(name) ? name.replace('/bench-', '/test-') : name)

/** What an entity or a feature says, in the words of version 3. Where both words stand, the old one was laid over the present one. */
function renamed(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item))
  if (!isObject(value)) return value
  const next: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = named ? key : word(key)
    if (name === key && Object.hasOwn(next, key)) continue
    next[name] = !named && OPAQUE.has(key) ? item : renamed(item, !named && key === 'properties')
  }
  if (named) return next
  if (value.do === 'settle') next.do = 'close'
  if (value.do === 'notify' && isObject(next.with) && 'apart' in next.with) {
    const { apart, ...rest } = next.with
    next.with = { ...rest, separately: apart }
  }
  return next
}

function calls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(calls)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, calls(item)]))
  return typeof value === 'string' && value.startsWith(OLD_CALL) ? value.replace('/bench/', '/test/') : value
}

function ruleSet({ bench, ...rest }: Json): Json {
  return typeof bench === 'string' ? { ...rest, test: testPage(bench) } : rest
}

/** The target of an overlay: some pages have another name. */
export const migrateTarget = (target: string): string =>
  target.startsWith('page:') ? `page:${testPage(target.slice('page:'.length))}` : target

/** Changes that an admin made of a document of version 2. What is written in the present words already stays as it is. */
export function migrateChanges(target: string, changes: readonly Change[]): Change[] {
  const ofEntity = target.startsWith('entity:')
  const content = (value: unknown, at: string): unknown => {
    if (!ofEntity) return calls(value)
    return value === 'settle' && at.endsWith('/do') ? 'close' : renamed(value)
  }
  return changes.map((change) => {
    const at = ofEntity
      ? change.at
          .split('/')
          .map(word)
          .join('/')
          .replace(/\/with\/apart$/, '/with/separately')
      : change.at
    if ('set' in change) return { ...change, at, set: content(change.set, at) }
    return 'add' in change ? { ...change, at, add: content(change.add, at) } : { ...change, at }
  })
}

/** Version 2 is the format before some words got the names that they have elsewhere. */
export const fromVersion2: Migration = {
  from: 2,
  summary: {
    zh: 'x-provided 改名 x-virtual，x-setOnce 改名 x-immutable，x-existing 改名 x-backfill；动作 settle 改名 close，notify 的 apart 改名 separately；规则的 bench 改名 test。',
    en: 'x-provided is x-virtual, x-setOnce is x-immutable, x-existing is x-backfill; the verb settle is close, apart of notify is separately; bench of a rule set is test.',
  },
  migrate: (type: MigratedType, document: Json): Json => {
    if (type === 'entity' || type === 'feature') return renamed(document) as Json
    if (type === 'rules') return ruleSet(document)
    return type === 'page' ? (calls(document) as Json) : document
  },
}
