import { dequal } from 'dequal/lite'
import type { DictionaryItem } from '../generated/dictionary'
import type { EntityDocument } from '../generated/entity'
import type { BilingualText } from '../problem'
import { addedId, idOf, isKeyedList, isObject, addressOfChange, splitAddress, type Change } from './change'
import { diffDocuments } from './diffDocuments'
import { wordName } from './words'

export type DifferenceKind =
  | 'added'
  | 'removed'
  | 'moved'
  | 'relocated'
  | 'renamed'
  | 'hidden'
  | 'shown'
  | 'retired'
  | 'newlyRequired'
  | 'noLongerRequired'
  | 'defaultChanged'
  | 'permissionWidened'
  | 'permissionNarrowed'
  | 'conditionChanged'
  | 'confirmRemoved'
  | 'becomesVisible'
  | 'becomesEditable'
  | 'filled'
  | 'changed'

/** What a change means to the people who use the page. */
export interface Difference {
  /** Stable within one comparison: the place and the kind. */
  id: string
  at: string
  kind: DifferenceKind
  /** Somebody may lose something or see more than before: it asks for a second look. */
  risk: boolean
  text: BilingualText
}

const RISKY: ReadonlySet<DifferenceKind> = new Set(['removed', 'retired', 'newlyRequired', 'permissionWidened', 'confirmRemoved'])

const WORDS: Readonly<Record<DifferenceKind, BilingualText>> = {
  added: { zh: '新增', en: 'added' },
  removed: { zh: '移除', en: 'removed' },
  moved: { zh: '调整顺序', en: 'order changed' },
  relocated: { zh: '移到另一处', en: 'moved to another part' },
  renamed: { zh: '改名', en: 'renamed' },
  hidden: { zh: '默认隐藏', en: 'hidden by default' },
  shown: { zh: '重新显示', en: 'shown again' },
  retired: { zh: '停用', en: 'retired' },
  newlyRequired: { zh: '变为必填', en: 'newly required' },
  noLongerRequired: { zh: '不再必填', en: 'no longer required' },
  defaultChanged: { zh: '默认值改变', en: 'default changed' },
  permissionWidened: { zh: '权限放宽', en: 'permission widened' },
  permissionNarrowed: { zh: '权限收紧', en: 'permission narrowed' },
  conditionChanged: { zh: '显示或可用条件改变', en: 'condition changed' },
  confirmRemoved: { zh: '不再要求确认', en: 'no longer asks for confirmation' },
  becomesVisible: { zh: '变为可见', en: 'becomes visible' },
  becomesEditable: { zh: '变为可编辑', en: 'becomes editable' },
  filled: { zh: '已有记录填入', en: 'filled in the records that are there' },
  changed: { zh: '改变', en: 'changed' },
}

const COLLECTIONS: Readonly<Record<string, BilingualText>> = {
  columns: { zh: '列', en: 'Column' },
  filters: { zh: '筛选', en: 'Filter' },
  views: { zh: '视图', en: 'View' },
  actions: { zh: '操作', en: 'Action' },
  rowActions: { zh: '行操作', en: 'Row action' },
  bulkActions: { zh: '批量操作', en: 'Bulk action' },
  figures: { zh: '关键数字', en: 'Figure' },
  warnings: { zh: '提醒', en: 'Warning' },
  sections: { zh: '分区', en: 'Section' },
  fields: { zh: '字段', en: 'Field' },
  tabs: { zh: '标签页', en: 'Tab' },
  properties: { zh: '字段', en: 'Field' },
  items: { zh: '字典值', en: 'Value' },
  blocks: { zh: '报表块', en: 'Block' },
  menu: { zh: '菜单', en: 'Menu entry' },
  children: { zh: '菜单', en: 'Menu entry' },
  transitions: { zh: '流转', en: 'Transition' },
  inputs: { zh: '参数', en: 'Input' },
  refuse: { zh: '拒绝条件', en: 'Refusal' },
  effects: { zh: '效果', en: 'Effect' },
  remind: { zh: '提醒', en: 'Reminder' },
  'x-states': { zh: '状态机', en: 'State machine' },
  'x-lookups': { zh: '查询', en: 'Look-up' },
  'x-limits': { zh: '数量上限', en: 'Limit' },
  'x-deadlines': { zh: '期限', en: 'Deadline' },
  'x-tests': { zh: '示例', en: 'Example' },
  'x-actions': { zh: '操作', en: 'Action' },
  'x-groups': { zh: '字段分组', en: 'Group of fields' },
  'x-participants': { zh: '参与人', en: 'Participants' },
  'x-forbids': { zh: '禁止事项', en: 'Ban' },
  'x-unique': { zh: '唯一约束', en: 'Uniqueness' },
  'x-effects': { zh: '保存时的效果', en: 'Effect of saving' },
  create: { zh: '新建时的效果', en: 'Effect of creating' },
  change: { zh: '修改时的效果', en: 'Effect of changing' },
  'x-use': { zh: '功能', en: 'Feature' },
}

const TITLES: ReadonlySet<string> = new Set(['title', 'label', 'x-label'])
const CONDITIONS: ReadonlySet<string> = new Set(['visible', 'disabled', 'when', 'where'])
const PERMISSIONS: ReadonlySet<string> = new Set(['permission', 'x-sensitive', 'x-permission'])

/**
 * The differences of two documents in words, the risky ones first. Fields are called by their labels where `entities` has them, and
 * values of a dictionary by theirs where `dictionaries` has it.
 */
export function describeChanges(
  before: unknown,
  after: unknown,
  entities: Readonly<Record<string, EntityDocument | undefined>> = {},
  dictionaries: Dictionaries = () => undefined,
): Difference[] {
  // several entities may have a field of one name: that of the document's own entity counts
  const own = [after, before].find(isObject)?.entity
  const labels = new Map(
    [...Object.values(entities), entities[typeof own === 'string' ? own : '']].flatMap((entity) =>
      Object.entries(entity?.properties ?? {}).map(([name, field]): [string, BilingualText] => [name, field['x-label']]),
    ),
  )
  const documents = { before, after, labels, dictionaries }
  const changes = diffDocuments(before, after)
  const relocated = relocations(changes, before)
  const found = changes.flatMap((change) => {
    const to = relocated.get(change)
    return to === undefined ? differencesOf(change, documents) : [difference('relocated', to.join('/'), to, documents)]
  })
  const unique = new Map(found.map((difference) => [difference.id, difference]))
  return [...unique.values()].sort((a, b) => Number(b.risk) - Number(a.risk))
}

interface Documents {
  before: unknown
  after: unknown
  labels: ReadonlyMap<string, BilingualText>
  dictionaries: Dictionaries
}

type Dictionaries = (name: string) => { items: readonly Pick<DictionaryItem, 'code' | 'label'>[] } | undefined

/**
 * Items that go from one list to another as they are, or into a part that is new: they are not lost. By their changes the place where
 * they stand now.
 */
function relocations(changes: readonly Change[], before: unknown): ReadonlyMap<Change, readonly string[]> {
  const gone = changes.flatMap((change) => {
    const steps = splitAddress(change.at)
    return 'remove' in change && COLLECTIONS[steps.at(-2) ?? '']
      ? [{ change, id: steps.at(-1), item: valueAt(before, steps) }]
      : []
  })
  const found = new Map<Change, readonly string[]>()
  for (const change of changes) {
    if (!('add' in change)) continue
    const to = [...splitAddress(change.at), addedId(change)]
    for (const within of itemsWithin(change.add, to)) {
      const from = gone.find(({ id, item }) => within.steps.at(-1) === id && isObject(item) && dequal(item, within.item))
      if (!from) continue
      found.set(from.change, within.steps)
      if (within.item === change.add) found.set(change, within.steps)
    }
  }
  return found
}

/** The item itself and those of its lists, e.g. the fields of a group. */
function itemsWithin(item: unknown, steps: readonly string[]): { item: unknown; steps: readonly string[] }[] {
  const lists = Object.entries(isObject(item) ? item : {}).filter(([name]) => COLLECTIONS[name])
  const inside = lists.flatMap(([name, list]) => {
    const entries = isKeyedList(name, list)
      ? list.map((one): [string, unknown] => [idOf(name, one) ?? '', one])
      : Object.entries(isObject(list) ? list : {})
    return entries.flatMap(([id, one]) => itemsWithin(one, [...steps, name, id]))
  })
  return [{ item, steps }, ...inside]
}

function differencesOf(change: Change, documents: Documents): Difference[] {
  const steps = splitAddress(change.at)
  const last = steps.at(-1) ?? ''
  if ('order' in change) return [difference('moved', change.at, steps, documents)]
  if ('add' in change) {
    const at = addressOfChange(change)
    const inside = [...steps, addedId(change)]
    const item = isObject(change.add) ? change.add : {}
    const said = (kind: DifferenceKind, what: BilingualText): Difference =>
      withMore(difference(kind, at, inside, documents), what)
    return [
      difference('added', at, inside, documents),
      ...(item['required'] === true ? [difference('newlyRequired', at, inside, documents)] : []),
      ...existingValue(item, documents.dictionaries).map((value) => said('filled', value)),
      ...(Array.isArray(item['roles']) && item['roles'].length > 0
        ? [said('permissionWidened', { zh: `授予 ${item['roles'].join('、')}`, en: `given to ${item['roles'].join(', ')}` })]
        : []),
    ]
  }
  const old = valueAt(documents.before, steps)
  const now = valueAt(documents.after, steps)
  const isItem = steps.length >= 2 && COLLECTIONS[steps.at(-2) ?? ''] !== undefined
  if (isItem) return [difference('remove' in change ? 'removed' : 'changed', change.at, steps, documents)]
  if (last === 'required' && (Array.isArray(old) || Array.isArray(now))) return requirements(steps, old, now, documents)
  const thing = isWord(last) ? steps.slice(0, -1) : steps
  const titled = TITLES.has(last) ? steps : steps.slice(0, -1)
  // One language or both: it is one new name.
  if (TITLES.has(titled.at(-1) ?? '')) return [difference('renamed', titled.join('/'), titled.slice(0, -1), documents)]
  const known = difference(kindOf(last, old, now, steps), change.at, thing, documents)
  const step = known.kind === 'changed' || known.kind === 'defaultChanged' ? stepOf(old, now) : undefined
  return [step ? withMore(known, step) : known]
}

/** From which number, or from yes or no, to which. */
function stepOf(old: unknown, now: unknown): BilingualText | undefined {
  if (![old, now].some(isFigure) || ![old, now].every((value) => value === undefined || isFigure(value))) return undefined
  const told = ({ yes, no, none }: Readonly<Record<'yes' | 'no' | 'none', string>>) =>
    [old, now]
      .map((value) => (value === undefined ? none : value === true ? yes : value === false ? no : String(value)))
      .join(' → ')
  return { zh: told({ yes: '是', no: '否', none: '默认' }), en: told({ yes: 'yes', no: 'no', none: 'default' }) }
}

const isFigure = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean'

const withMore = (known: Difference, { zh, en }: BilingualText): Difference => ({
  ...known,
  text: { zh: `${known.text.zh}（${zh}）`, en: `${known.text.en} (${en})` },
})

/** What the rows that are there get in a new field. */
function existingValue(field: Readonly<Record<string, unknown>>, dictionaries: Dictionaries): BilingualText[] {
  if (!('x-label' in field)) return []
  const value = field['x-backfill'] ?? field['default']
  if (value === undefined || value === null || (typeof value === 'string' && value.includes('{{'))) return []
  const name = field['x-dictionary']
  const known = typeof name === 'string' ? dictionaries(name)?.items.find(({ code }) => code === value)?.label : undefined
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  return [known ?? { zh: written, en: written }]
}

/** Words whose change is named by its kind; the others are named by themselves. */
const isWord = (word: string): boolean =>
  ['hidden', 'required', 'default', 'confirm', 'x-retired', 'retired'].includes(word) ||
  CONDITIONS.has(word) ||
  PERMISSIONS.has(word)

function kindOf(word: string, old: unknown, now: unknown, steps: readonly string[]): DifferenceKind {
  if (word === 'hidden') return now === true ? 'hidden' : 'shown'
  if (word === 'x-retired' || word === 'retired') return now === true ? 'retired' : 'shown'
  if (word === 'required') return now === undefined || now === false ? 'noLongerRequired' : 'newlyRequired'
  if (word === 'default') return 'defaultChanged'
  if (word === 'confirm') return now === undefined ? 'confirmRemoved' : 'changed'
  // Another key may be held by more people: only a key where there was none is sure to be narrower.
  if (PERMISSIONS.has(word) || steps.includes('x-permissions'))
    return old === undefined ? 'permissionNarrowed' : 'permissionWidened'
  return CONDITIONS.has(word) ? 'conditionChanged' : 'changed'
}

function requirements(steps: readonly string[], old: unknown, now: unknown, documents: Documents): Difference[] {
  const names = (value: unknown): string[] => (Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [])
  const of = (kind: DifferenceKind, from: string[], without: string[]) =>
    from
      .filter((name) => !without.includes(name))
      .map((name) => difference(kind, [...steps, name].join('/'), [...steps.slice(0, -1), 'properties', name], documents))
  return [...of('newlyRequired', names(now), names(old)), ...of('noLongerRequired', names(old), names(now))]
}

function difference(kind: DifferenceKind, at: string, thing: readonly string[], documents: Documents): Difference {
  const name = nameOf(thing, documents)
  const text = { zh: `${name.zh}：${WORDS[kind].zh}`, en: `${name.en}: ${WORDS[kind].en}` }
  return { id: `${kind} ${at}`, at, kind, risk: RISKY.has(kind), text }
}

/** What the people call it: kind and title of the innermost item, and the word behind it. */
function nameOf(steps: readonly string[], { before, after, labels }: Documents): BilingualText {
  for (let length = steps.length; length >= 2; length -= 1) {
    const collection = COLLECTIONS[steps[length - 2] ?? '']
    const id = steps[length - 1] ?? ''
    if (!collection) continue
    const item = valueAt(after, steps.slice(0, length)) ?? valueAt(before, steps.slice(0, length))
    const title = titleOf(item) ?? labels.get(fieldOf(item) ?? id) ?? { zh: id, en: id }
    const word = wordsOf(steps.slice(length))
    return {
      zh: `${collection.zh}“${title.zh}”${word.zh && `的${word.zh}`}`,
      en: `${collection.en} "${title.en}"${word.en && `, ${word.en}`}`,
    }
  }
  const collection = COLLECTIONS[steps.at(-1) ?? '']
  if (collection) return { zh: `${collection.zh}`, en: `${collection.en}s` }
  return steps.length === 0 ? { zh: '整个文档', en: 'The whole document' } : wordsOf(steps)
}

/** Words of the language as people read them in the designer. */
const wordsOf = (steps: readonly string[]): BilingualText => ({
  zh: steps.map((step) => wordName(step, 'zh')).join(' · '),
  en: steps.map((step) => wordName(step, 'en')).join(' · '),
})

function titleOf(item: unknown): BilingualText | undefined {
  if (!isObject(item)) return undefined
  const title = [...TITLES].map((word) => item[word]).find((value) => isObject(value) && typeof value['zh'] === 'string')
  return title as BilingualText | undefined
}

function fieldOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  const field = item['field'] ?? item['$field']
  return typeof field === 'string' ? field.slice(field.lastIndexOf('.') + 1) : undefined
}

function valueAt(document: unknown, steps: readonly string[]): unknown {
  let value = document
  let name = ''
  for (const step of steps) {
    const list = name
    if (isKeyedList(list, value)) value = value.find((item) => idOf(list, item) === step)
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
    name = step
  }
  return value
}
