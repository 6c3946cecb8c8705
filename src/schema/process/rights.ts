import type { FormField, Node, ProcessDocument } from '../generated/process'
import { formFields, HEAD_FIELDS } from './head'
import { isForPeople, nodeById, startOf, walkNodes } from './tree'

/** H hidden, R readable, E editable, M must be filled. */
export type Right = 'H' | 'R' | 'E' | 'M'

/** By field; a cell of rows by `rows.cell`. */
export type Rights = Readonly<Record<string, Right>>

/** Names of all fields of a form, cells of rows as `rows.cell`, with their definitions. */
export const namedFields = (process: Pick<ProcessDocument, 'form'>): [name: string, field: FormField, rows?: string][] =>
  Object.entries(formFields(process.form)).flatMap(([name, field]): [string, FormField, string?][] => [
    [name, field],
    ...Object.entries(field.rows?.fields ?? {}).map(([cell, inner]): [string, FormField, string] => [
      `${name}.${cell}`,
      inner,
      name,
    ]),
  ])

const isTyped = ({ readOnly, value }: FormField): boolean => readOnly !== true && value === undefined

function rightsAt(process: Pick<ProcessDocument, 'form'>, node: Node): Rights {
  const rights: Record<string, Right> = {}
  for (const [name, field, rows] of namedFields(process)) {
    const given = node.fieldRights?.[name]
    const around = rows === undefined ? undefined : rights[rows]
    const usual: Right = (around ?? (node.kind === 'start' ? 'E' : 'R')) === 'R' || !isTyped(field) ? 'R' : 'E'
    // nobody types what follows other fields, and nobody sees cells of rows that he does not see
    const right = given !== undefined && (given === 'H' || given === 'R' || isTyped(field)) ? given : usual
    rights[name] = around === 'H' ? 'H' : right
  }
  return rights
}

/**
 * What may be done with each field of the form at a node: what its `fieldRights` do not name is read, at the start typed unless it is read-only
 * or follows others; at any other node than the start and those of people everything is read. Null: for somebody who only looks on, who sees what somebody sees after the start
 * (money 8.15).
 */
export function rightsOf(process: Pick<ProcessDocument, 'form' | 'nodes'>, nodeId: string | null): Rights {
  const node = nodeId === null ? undefined : nodeById(process, nodeId)
  if (node && (node.kind === 'start' || isForPeople(node))) return rightsAt(process, node)
  const later = [...walkNodes(process)].filter(isForPeople)
  const start = startOf(process)
  const seen = (later.length > 0 ? later : start ? [start] : []).map((one) => rightsAt(process, one))
  return Object.fromEntries(
    namedFields(process).map(([name]): [string, Right] => [
      name,
      seen.length > 0 && seen.every((rights) => rights[name] === 'H') ? 'H' : 'R',
    ]),
  )
}

/** Whether anything can be typed with these rights. */
export const isEditable = (rights: Rights): boolean => Object.values(rights).some((right) => right === 'E' || right === 'M')

/** Whether a field is one of those that every form has. */
export const isHeadField = (name: string): boolean => Object.hasOwn(HEAD_FIELDS, name)
