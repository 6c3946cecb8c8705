import { compileExpression, isExpression } from '../../../src/schema/expression'
import type { Effect } from '../../../src/schema/generated/entity'
import type { Node } from '../../../src/schema/generated/process'
import type { EntityRecord } from '../../entities'
import { ServiceError, type Text } from '../../platform/http'
import { decidedBy } from './decided'
import { tolerantly } from './form'
import type { Standing } from './standing'
import { isForPeople } from './tree'

/**
 * What the effects of agreement would refuse now: they are done as the process itself, with what they leave for the end of the transaction, and undone. Nothing
 * reaches the outside: what is asked of it lies in the outbox, which is undone too. Not asked while a step ahead does something itself, on which the end may build.
 * @returns the refusal, with the field of the form that it names; null when nothing is refused, or only for want of what a step ahead fills in
 */
export async function refusedAtEnd(standing: Standing): Promise<ServiceError | null> {
  const { process, form, tx, values, row } = standing
  const { agreed = [] } = process.document.effects ?? {}
  const decided = decidedBy(standing, 'agreed', null)
  const ahead = nodesAhead(standing, process.document.nodes)
  if ((agreed.length === 0 && !decided) || ahead.some(isDoing)) return null
  const context = standing.system()
  try {
    await tx.rehearse(async (inner) => {
      const cause = { id: row.id, step: 'agreed' }
      if (agreed.length > 0)
        await form.records.run({ tx: inner, context }, { ...values, id: row.id }, standing.named(), tolerantly(agreed), cause)
      await decided?.(inner)
    })
    return null
  } catch (error) {
    // a fault is no refusal: it is told when the effects are done
    if (!(error instanceof ServiceError)) return null
    return inTheForm(standing, error, waitsFor(standing, ahead))
  }
}

/** A refusal of the effects of agreement, with the fields of the form that it names. */
export const asAnswered = (standing: Standing, error: ServiceError): ServiceError =>
  inTheForm(standing, error, () => false) ?? error

/** Steps that have an effect of their own, or answer another process. */
const isDoing = ({ kind, effects = [] }: Node): boolean => kind === 'subProcess' || (kind === 'service' && effects.length > 0)

/** The nodes that are open or may still come in this round. */
function nodesAhead(standing: Standing, nodes: readonly Node[]): Node[] {
  const { flow } = standing
  const passed = new Set(flow.passed.flatMap(({ nodeId, round }) => (round === flow.round ? [nodeId] : [])))
  const isOpen = (node: Node): boolean =>
    flow.nodes[node.id] !== undefined || (node.branches ?? []).some((branch) => branch.nodes.some(isOpen))
  return nodes.slice(Math.max(0, nodes.findIndex(isOpen))).flatMap((node): Node[] => {
    if (passed.has(node.id)) return []
    const taken = flow.nodes[node.id]?.taken
    const branches = (node.branches ?? []).filter(({ id }) => taken?.includes(id) ?? true)
    return [node, ...branches.flatMap((branch) => nodesAhead(standing, branch.nodes))]
  })
}

/** Whether a field, or the cell of a row (`lines.0.rate`), is empty and a step ahead fills it in. */
function waitsFor({ form, values }: Standing, ahead: readonly Node[]): (path: string) => boolean {
  const rights = ahead.filter(isForPeople).map((node) => form.rightsAt(node.id))
  const open = (name: string): boolean => rights.some(({ [name]: right }) => right === 'E' || right === 'M')
  return (path) => {
    const [name = '', index, cell] = path.split('.')
    const held = values[name]
    const row = Array.isArray(held) && cell !== undefined ? (held[Number(index)] as EntityRecord | undefined) : undefined
    const value = row ? row[cell!] : held
    const empty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    return empty && (open(name) || (cell !== undefined && open(`${name}.${cell}`)))
  }
}

interface Named {
  field?: string
  message: Text
  rule?: string
}

/** The refusal with the form's fields in place of what the effects call them; null when all that it names is still to be filled in. */
function inTheForm(standing: Standing, error: ServiceError, waits: (path: string) => boolean): ServiceError | null {
  const { form, context, process } = standing
  const data = (typeof error.data === 'object' && error.data !== null ? error.data : {}) as EntityRecord
  const effects = process.document.effects?.agreed ?? []
  const problems = problemsOf(error, data)
  const named = problems.map(({ field, ...rest }): Named & { waits: boolean } => {
    const paths = field === undefined ? [] : formPaths(standing, effects, field)
    const [path] = paths
    return { ...rest, ...(path === undefined ? {} : { field: path }), waits: paths.some(waits) }
  })
  const open = named.filter((problem) => !problem.waits)
  const [first] = open
  if (!first) return null
  const why = data.why as Text | undefined
  const label = first.field === undefined ? undefined : form.records.model.fields.get(first.field.split('.', 1)[0]!)?.label
  const message: Text =
    why && label
      ? { zh: `“${label.zh}”${why.zh}。`, en: `"${label.en}" is ${why.en}.` }
      : problems.length > 1
        ? first.message
        : error.text
  const { why: _, ...rest } = data
  return new ServiceError(error.reason, {
    message,
    code: error.code,
    rule: error.rule,
    cause: error,
    data: {
      ...rest,
      ...(first.field === undefined ? {} : { field: first.field }),
      errors: open.map(({ waits: _waits, message: said, ...problem }, index) => ({
        rule: 'effect',
        ...problem,
        message: (index === 0 ? message : said)[context.locale],
      })),
    },
  })
}

/** What a refusal names: each of its problems, else the one field that it is about. */
function problemsOf(error: ServiceError, data: EntityRecord): Named[] {
  const listed = (Array.isArray(data.errors) ? (data.errors as EntityRecord[]) : []).map(({ field, rule, message }): Named => ({
    ...(typeof field === 'string' ? { field } : {}),
    ...(typeof rule === 'string' ? { rule } : {}),
    message: typeof message === 'string' ? { zh: message, en: message } : error.text,
  }))
  if (listed.length > 0) return listed
  return [{ ...(typeof data.field === 'string' ? { field: data.field } : {}), message: error.text }]
}

/** The fields of the form that a value of an effect comes from, the cell of a row first; `name` as the effect calls it. */
function formPaths({ form }: Standing, effects: readonly Effect[], name: string): string[] {
  const { model } = form.records
  const [own = '', ...inside] = name.split('.')
  const roots = effects.flatMap((effect) => {
    const given = effect.with as EntityRecord
    const { [own]: value = (given.values as EntityRecord | undefined)?.[own] } = given
    return value === undefined ? [] : textsOf([value, effect.each]).flatMap((text) => compileExpression(text).dependencies)
  })
  const fields = [...new Set([...roots.map((path) => path.split('.', 1)[0]!), own])].filter((field) => model.fields.has(field))
  const [first] = fields
  const [index, cell = ''] = inside
  if (first === undefined || index === undefined || !form.records.rowsOf(first)?.fields.has(cell)) return fields
  return [`${first}.${index}.${cell}`, ...fields]
}

function textsOf(value: unknown): string[] {
  if (isExpression(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
