import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EFFECT_WORDS } from '../../../src/schema/compile'
import { wholeSchema } from '../../support/schemas'

const root = join(import.meta.dirname, '../../../schemas')
/** Documents with the features that they use. */
const documents = (folder: 'entities' | 'pages'): Node[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && file.split(/[\\/]/).at(-2) === folder)
    .map((file) => wholeSchema<Node>(file))
type Node = Record<string, unknown>
interface Transition {
  id: string
  from: readonly string[]
  to?: string
  back?: string
  permission?: string
  confirm?: unknown
  inputs?: unknown
  required?: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** What an action takes: the transition that it names, or without any effect that of its id. */
const taken = (action: Node): unknown =>
  action.transition ?? (EFFECT_WORDS.some((word) => word in action) ? undefined : action.id)

/** Transitions that pages offer, as entity/transition; lists inside of pages have an entity of their own. */
function offered(node: unknown, entity: string, found: Set<string>): Set<string> {
  if (!isNode(node)) return found
  const own = typeof node.entity === 'string' ? node.entity : entity
  for (const [key, child] of Object.entries(node)) {
    if (['actions', 'rowActions', 'bulkActions'].includes(key) && Array.isArray(child))
      for (const action of child) found.add(`${own}/${String(taken(action as Node))}`)
    offered(child, own, found)
  }
  return found
}

/** Widgets that pages use instead of the words of the language. */
function widgetsOf(node: unknown, found: Set<string>): Set<string> {
  if (!isNode(node)) return found
  if (typeof node.widget === 'string') found.add(node.widget)
  for (const child of Object.values(node)) widgetsOf(child, found)
  return found
}

describe('widgets on pages', () => {
  it('stand in the decision on widgets, each with its reason', () => {
    const decision = readFileSync(join(root, '../docs/decisions/0005-what-became-a-widget.md'), 'utf8')
    const rows = decision.split('\n').filter((line) => line.startsWith('|'))
    const used = [...new Set(documents('pages').flatMap((page) => [...widgetsOf(page, new Set())]))]
    expect(used.length).toBeGreaterThan(10)
    const reasoned = (name: string): boolean =>
      rows.some((row) => row.split('|')[1]?.includes(`\`${name}\``) === true && (row.split('|')[3]?.trim().length ?? 0) > 20)
    expect(used.filter((name) => !reasoned(name))).toEqual([])
  })
})

describe('what people may do in customer relations', () => {
  it('stands on a page: every transition that has a permission is an action of a list or a detail, or takes one back', () => {
    const reached = new Set(documents('pages').flatMap((page) => [...offered(page, '', new Set())]))
    const moves = documents('entities')
      .filter(({ name }) => String(name).startsWith('crm.'))
      .flatMap((entity) =>
        ((entity['x-states'] ?? []) as { transitions: Transition[] }[]).flatMap(({ transitions }) =>
          transitions.map((one) => ({
            ...one,
            key: `${String(entity.name)}/${one.id}`,
            beside: transitions,
            of: String(entity.name),
          })),
        ),
      )
    // one click takes the other one back: that is offered with the message of it
    const undoes = ({ back, confirm, inputs, required, from, beside, of }: (typeof moves)[number]): boolean =>
      back !== undefined &&
      [confirm, inputs, required].every((asked) => asked === undefined) &&
      beside.some(({ id, to }) => to !== undefined && from.includes(to) && reached.has(`${of}/${id}`))
    const allowed = moves.filter(({ permission }) => permission !== undefined)
    expect(allowed.length).toBeGreaterThan(50)
    expect(allowed.filter((one) => !reached.has(one.key) && !undoes(one)).map(({ key }) => key)).toEqual([])
  })
})

describe('a transition that asks why', () => {
  it('says which of its values is the reason that the log tells', () => {
    const asking = documents('entities').flatMap((entity) =>
      ((entity['x-states'] ?? []) as { transitions: { id: string; fields?: string[]; inputs?: Node; reason?: string }[] }[])
        .flatMap(({ transitions }) => transitions)
        .map(({ id, fields = [], inputs = {}, reason }) => ({
          id: `${String(entity.name)}/${id}`,
          why: [...fields, ...Object.keys(inputs)].filter((name) => /(?:reason|note)$/i.test(name)),
          reason,
        }))
        .filter(({ why }) => why.length > 0),
    )
    expect(asking.length).toBeGreaterThan(25)
    expect(asking.filter(({ why, reason }) => reason === undefined || !why.includes(reason))).toEqual([])
  })
})
