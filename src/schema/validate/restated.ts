import { EFFECT_WORDS } from '../compile'
import { pointer } from '../diagnosis'
import { compileExpression, dependencies, parseExpression, type Node } from '../expression'
import type { EntityDocument, Transition } from '../generated/entity'
import type { Action } from '../generated/page'
import type { Checker } from './checker'

/**
 * Conditions of actions that say again in which states, or by whom, their transition is possible: the entity says it once, and
 * an action is not offered elsewhere. A condition that says more (fewer states, other facts) is the page's own.
 */
export const checkRestated = (
  checker: Checker,
  actions: readonly Action[] | undefined,
  at: string,
  entity: EntityDocument | undefined,
): void =>
  actions?.forEach((action, index) => {
    for (const { word, text, transition } of restated(action, entity)) {
      checker.warn(
        'restated-state',
        pointer(at, index, word),
        {
          zh: `“${text}”只是重复实体中流转“${transition}”的规定，请从页面去掉。`,
          en: `"${text}" only repeats what the entity says of its transition "${transition}": take it out of the page.`,
        },
        { value: action[word] },
      )
    }
  })

interface Restated {
  word: 'visible' | 'disabled'
  text: string
  transition: string
}

/** The transition that the action takes: what it names, or without any effect that of its id. */
const taken = (action: Action): string | undefined =>
  action.transition ?? (EFFECT_WORDS.every((word) => action[word] === undefined) ? action.id : undefined)

function restated(action: Action, entity: EntityDocument | undefined): Restated[] {
  const id = taken(action)
  for (const { field, transitions } of entity?.['x-states'] ?? []) {
    const transition = transitions.find((one) => one.id === id)
    if (!transition) continue
    const refusals = (transition.refuse ?? []).map(({ when }) => inner(when))
    const always = (text: string, expected: boolean): boolean =>
      readsOnly(text, field) && transition.from.every((code) => holds(text, { [field]: code }) === expected)
    const found = [
      ...parts(action.visible, '&&').flatMap((text) =>
        always(text, true) || namesPeople(text, transition) ? [{ word: 'visible' as const, text }] : [],
      ),
      ...parts(action.disabled, '||').flatMap((text) =>
        always(text, false) || refusals.includes(ofRecord(text)) ? [{ word: 'disabled' as const, text }] : [],
      ),
    ]
    return found.map((one) => ({ ...one, transition: transition.id }))
  }
  return []
}

/** `a && b && c` in its parts. */
function parts(text: string | undefined, operator: '&&' | '||'): string[] {
  const parsed = text === undefined ? undefined : parseExpression(text)
  if (text === undefined || !parsed?.ok || parsed.expression.kind !== 'value') return []
  const split = (node: Node): string[] =>
    node.type === 'logical' && node.operator === operator
      ? [...split(node.left), ...split(node.right)]
      : [text.slice(node.start, node.end)]
  return split(parsed.expression.node)
}

const inner = (text: string): string => text.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, '')
const ofRecord = (text: string): string => text.replace(/\b(?:row|record)\./g, '')

/** It reads the state of the row, of the record, or of each selected row (`some(rows, one => one.status === …)`), and nothing else. */
function readsOnly(text: string, field: string): boolean {
  const parsed = parseExpression(`{{ ${text} }}`)
  if (!parsed.ok) return false
  const read = dependencies(parsed.expression)
  if (read.length === 1 && read[0] === 'rows')
    return /^some\(/.test(text) && [...text.matchAll(/\.(\w+)/g)].every(([, member]) => member === field)
  return read.length > 0 && read.every((path) => path === `row.${field}` || path === `record.${field}`)
}

function holds(text: string, record: Readonly<Record<string, string>>): boolean | undefined {
  try {
    return Boolean(compileExpression(`{{ ${text} }}`)({ row: record, record, rows: [record] }))
  } catch {
    return undefined
  }
}

const FIELD_OF: Readonly<Record<string, string>> = { creator: 'createdBy', owner: 'ownerId' }

/** `row.toStaffId === user.staffId` where only that person may, `!==` where that person may not. */
function namesPeople(text: string, { by, not }: Transition): boolean {
  const [, field, operator] = /^(?:row|record)\.(\w+) ([!=]==) user\.staffId$/.exec(text) ?? []
  if (field === undefined) return false
  const named = (operator === '===' ? by : not) ?? []
  if (operator === '===' && named.length !== 1) return false
  return named.some((one) => (typeof one === 'string' ? FIELD_OF[one] : 'field' in one ? one.field : undefined) === field)
}
