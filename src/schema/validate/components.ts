import { isGroup, CONTROLS } from '../controls'
import { pointer } from '../diagnosis'
import type { FormNode } from '../generated/page'
import type { BilingualText } from '../problem'
import type { Checker } from './checker'

/** What a container is made of; anything else in it would be drawn nowhere. */
const PANES: Readonly<Record<string, string>> = {
  FormTab: 'FormTab.TabPane',
  FormStep: 'FormStep.StepPane',
  FormCollapse: 'FormCollapse.CollapsePanel',
}
const CONTAINERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PANES).map(([container, pane]) => [pane, container] as const),
  ['SelectTable.Column', 'SelectTable'],
])
const OF_ROWS = /^Array\w+\.(?:Index|SortHandle|Remove|MoveUp|MoveDown|Copy|Column)$/
const OF_LISTS = /^Array\w+\.Addition$/

interface Place {
  /** The component of the node around; for what lies in the entries of a list, that of the list. */
  around: string | undefined
  isEntry: boolean
  inRow: boolean
  inList: boolean
}

/** Components of a form that would be drawn nowhere, or as something else than they say. */
export const checkComponents = (checker: Checker, schema: FormNode): void =>
  checkBelow(checker, schema, '/schema', { around: undefined, isEntry: false, inRow: false, inList: false })

function checkBelow(checker: Checker, node: FormNode, at: string, place: Place): void {
  const around = node['x-component'] ?? (place.isEntry ? place.around : undefined)
  const inside: Place = { ...place, around, isEntry: false, inList: place.inList || node.type === 'array' }
  for (const [name, child] of Object.entries(node.properties ?? {}))
    checkNode(checker, child, pointer(at, 'properties', name), inside)
  if (node.items) checkNode(checker, node.items, pointer(at, 'items'), { ...inside, isEntry: true, inRow: true })
}

function checkNode(checker: Checker, node: FormNode, at: string, place: Place): void {
  const { 'x-component': name, 'x-decorator': decorator } = node
  const pane = PANES[place.around ?? '']
  const wrong = typeof name === 'string' ? (misplaced(name, place) ?? unfitting(name, node)) : undefined
  if (wrong) report(checker, String(name), pointer(at, 'x-component'), wrong)
  else if (pane !== undefined && name !== pane) {
    const why = { zh: `“${place.around ?? ''}”只由“${pane}”组成。`, en: `"${place.around ?? ''}" consists of "${pane}" only.` }
    report(checker, name ?? node.$field ?? String(node.type ?? ''), at, why)
  }
  if (typeof decorator === 'string' && !isComponent(decorator))
    report(checker, decorator, pointer(at, 'x-decorator'), {
      zh: '没有这样的组件可以包住字段；常用的是 FormItem。',
      en: 'There is no such component to wrap a field; "FormItem" is the usual one.',
    })
  checkBelow(checker, node, at, place)
}

/** Wrappers are Formily's own components: those of the portal begin with a small letter. */
const isComponent = (name: string): boolean => /^[A-Z]/.test(name) && CONTROLS.has(name)

function report(checker: Checker, value: string, at: string, why: BilingualText): void {
  const message = { zh: `这里不能用“${value}”：${why.zh}`, en: `"${value}" cannot stand here. ${why.en}` }
  checker.add('unknown-control', at, message, { value })
}

/** A part that stands outside of what it is a part of. */
function misplaced(name: string, { around, inRow, inList }: Place): BilingualText | undefined {
  const container = CONTAINERS.get(name)
  if (container !== undefined && container !== around)
    return { zh: `它只能直接放在“${container}”中。`, en: `It stands right inside a "${container}" only.` }
  if ((OF_ROWS.test(name) && !inRow) || (OF_LISTS.test(name) && !inList))
    return { zh: '它只能放在列表的行中。', en: 'It belongs to the rows of a list.' }
  return undefined
}

/** A component whose node is of another kind. */
function unfitting(name: string, node: FormNode): BilingualText | undefined {
  if (name === 'ArrayTable' || name === 'arrayTable')
    return node.type === 'array' && node.items?.properties
      ? undefined
      : { zh: '它需要 type 为 array 且 items 有 properties。', en: 'It needs the type array and items with properties.' }
  if (['ArrayItems', 'ArrayCards', 'ArrayCollapse', 'ArrayTabs'].includes(name))
    return node.type === 'array' && node.items
      ? undefined
      : { zh: '它需要 type 为 array 且有 items。', en: 'It needs the type array and items.' }
  return isGroup(name) && node.type !== 'void' && node.type !== 'object'
    ? { zh: '它只能用于分组（void 或 object）。', en: 'It stands for a group (void or object) only.' }
    : undefined
}
