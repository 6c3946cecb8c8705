import { offersChoices } from '../controls'
import { pointer } from '../diagnosis'
import { entityPath } from '../entity/fields'
import type { FormNode, Options } from '../generated/page'
import { OPTION_SOURCES, OPTION_WORDS, type OptionSource } from '../optionWords'
import { normalizeCall } from './catalog'
import type { Checker } from './checker'
import { resolvePath, type FormField } from './linkage'
import { checkTerms } from './where'

/** Calls of every entity that read; the others of a GET, too, write. */
const READ = ['POST /queryPage', 'POST /select', 'POST /aggregate']
const WRITES = ['GET /delete/{}', 'GET /restore/{}']

/** Where the choices of a field come from: that the call only reads, and that the list is one of this form. */
export function checkOptions(checker: Checker, fields: readonly FormField[]): void {
  const lists = new Map(fields.flatMap(({ path, node }) => (isList(checker, node) ? [[path, node] as const] : [])))
  for (const { path, at, node } of fields) {
    const options = node['x-options']
    if (!options) continue
    const { call, params = {}, optional = [], where, rows, label, value, parent } = options
    const here = pointer(at, 'x-options')
    checkNode(checker, node, at)
    checkWords(checker, options, here)
    checkTerms(checker, where, pointer(here, 'where'))
    if (call !== undefined) checkReads(checker, call, pointer(here, 'call'))
    for (const [, name = ''] of (call ?? '').matchAll(/\{(\w+)\}/g)) {
      if (Object.hasOwn(params, name) && !optional.includes(name)) continue
      checker.add('invalid-shape', pointer(here, 'params'), {
        zh: `调用的路径需要参数“${name}”，须在 params 中给出，且不能为空。`,
        en: `The path of the call needs the parameter "${name}": params has to give it, and it cannot be optional.`,
      })
    }
    if (rows === undefined) continue
    const list = lists.get(resolvePath(rows, path))
    if (!list) {
      checker.add(
        'unknown-field',
        pointer(here, 'rows'),
        { zh: `表单没有列表“${rows}”。`, en: `The form has no list "${rows}".` },
        { value: rows, known: lists.keys() },
      )
      continue
    }
    const members = membersOf(list.items)
    for (const [word, name] of Object.entries({ label, value, parent })) {
      if (name === undefined || name.includes('{{') || !members || members.includes(name)) continue
      checker.add(
        'unknown-field',
        pointer(here, word),
        { zh: `列表“${rows}”的行没有“${name}”。`, en: `The rows of "${rows}" have no "${name}".` },
        { value: name, known: members },
      )
    }
    if (members && label === undefined)
      checker.add('invalid-shape', here, {
        zh: `“${rows}”的每一行有多个字段，须写 label：选项显示哪一个。`,
        en: `The rows of "${rows}" have several fields: label has to say which of them is shown.`,
      })
  }
}

/** Nothing else says what can be chosen, and the component offers it. */
function checkNode(checker: Checker, node: FormNode, at: string): void {
  if (node.enum !== undefined)
    checker.add('invalid-shape', pointer(at, 'enum'), {
      zh: '选项已由 x-options 给出，不能再写 enum。',
      en: 'x-options says what can be chosen: enum cannot say it too.',
    })
  const component = node['x-component']
  if (component !== undefined && !offersChoices(component))
    checker.add('unknown-control', pointer(at, 'x-component'), {
      zh: `“${component}”没有选项，不能用 x-options；可用 Select、Radio.Group、Checkbox.Group、TreeSelect、Cascader、Transfer、SelectTable。`,
      en: `"${component}" offers no choices, so x-options says nothing about it. These do: "Select", "Radio.Group", "Checkbox.Group", "TreeSelect", "Cascader", "Transfer", "SelectTable".`,
    })
}

/** One source, and only words that say something about it. */
function checkWords(checker: Checker, options: Options, here: string): void {
  const [source, ...more] = OPTION_SOURCES.filter((name) => options[name] !== undefined)
  if (source === undefined || more.length > 0)
    return checker.add('invalid-shape', here, {
      zh: '选项来自一处：dictionary、entity、call、rows 中恰好写一个。',
      en: 'Options come from one place: exactly one of dictionary, entity, call and rows.',
    })
  for (const [word, about] of Object.entries(OPTION_WORDS) as [keyof typeof OPTION_WORDS, readonly OptionSource[]][]) {
    if (options[word] !== undefined && !about.includes(source))
      checker.add('invalid-shape', pointer(here, word), {
        zh: `“${word}”与来自 ${source} 的选项无关，只用于 ${about.join('、')}。`,
        en: `"${word}" says nothing about options of a ${source}; it belongs to ${about.join(', ')}.`,
      })
  }
  if (source === 'call' && (options.label === undefined || options.value === undefined))
    checker.add('invalid-shape', here, {
      zh: '来自调用的选项须写 label 和 value：显示与保存回答中的哪个成员。',
      en: 'Options of a call need label and value: which members of the answer are shown and stored.',
    })
}

const isList = (checker: Checker, node: FormNode): boolean => {
  if (node.type !== undefined || node.$field === undefined) return node.type === 'array'
  const dot = node.$field.lastIndexOf('.')
  return checker.catalog.entities.get(node.$field.slice(0, dot))?.properties[node.$field.slice(dot + 1)]?.type === 'array'
}

/** What a row holds, without what only arranges it; undefined where the rows are single values, or those of an entity. */
function membersOf(items: FormNode | undefined): string[] | undefined {
  if (!items?.properties) return undefined
  return Object.entries(items.properties).flatMap(([name, child]) => (child.type === 'void' ? (membersOf(child) ?? []) : [name]))
}

/** The call is known elsewhere; here it has to be one that changes nothing: a form asks it as often as it likes. */
function checkReads(checker: Checker, call: string, at: string): void {
  const normal = normalizeCall(call)
  const bases = [...checker.catalog.entities.values()].map(entityPath)
  const isOf = (calls: readonly string[]): boolean =>
    calls.some((one) => bases.some((base) => one.replace(' ', ` ${base}`) === normal))
  const reads = normal.startsWith('GET ') ? !isOf(WRITES) && !normal.startsWith('GET /auth/') : isOf(READ)
  if (reads || checker.catalog.context.partial === true) return
  checker.add(
    'call-writes',
    at,
    {
      zh: `“${call}”不是只读的调用，不能用来取选项。可用 GET，或实体的 queryPage、select、aggregate。`,
      en: `"${call}" may change something, so options cannot come from it. A GET can be used, or queryPage, select and aggregate of an entity.`,
    },
    { value: call },
  )
}
