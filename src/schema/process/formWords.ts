import { isExpression, parseExpression, rootsOf } from '../expression'
import type { AnyNode, Node } from '../expression/ast'
import { printExpression } from '../expression/print'
import type { FormField, ProcessDocument } from '../generated/process'
import { isExact, referenceOf } from './fields'
import { formFields } from './head'
import { ordered } from './tolerant'

/** What the gateway tells a form of its records: by the name of a look-up, or by a path and the id of the record that it starts from. */
const FACTS = '$facts'
/** A look-up that is read as it stands, a count for one. */
const WHOLE = ''
/** What expressions of a process read besides fields and look-ups; a form that is filled in is told it like a look-up. */
export const PROCESS_ROOTS = ['instance', 'applicant', 'amountCny'] as const

/** What a look-up of a form reads: roots of its expressions, and fields that rule sets are asked for. */
function rootsIn(lookup: unknown): string[] {
  if (isExpression(lookup)) {
    const parsed = parseExpression(lookup)
    return parsed.ok ? rootsOf(parsed.expression) : []
  }
  if (typeof lookup === 'string') return [lookup.split('.', 1)[0]!]
  return typeof lookup === 'object' && lookup !== null ? Object.values(lookup).flatMap(rootsIn) : []
}

/** Says expressions of a process in the words of its form, and notes what the form has to be told for them. */
export class FormWords {
  private readonly fields: Readonly<Record<string, FormField>>
  private readonly lookups: ReadonlySet<string>
  /** Names of cells, of whatever rows, whose values are decimal text. */
  private readonly exactCells: ReadonlySet<string>
  private readonly asked = new Set<string>()
  private readonly partsOf = new Map<string, Set<string>>()

  constructor(private readonly process: Pick<ProcessDocument, 'form'>) {
    this.fields = formFields(process.form)
    this.lookups = new Set([...Object.keys(process.form.lookups ?? {}), ...PROCESS_ROOTS])
    this.exactCells = new Set(
      Object.values(this.fields).flatMap(({ rows }) =>
        Object.entries(rows?.fields ?? {}).flatMap(([name, cell]) => (isExact(cell) ? [name] : [])),
      ),
    )
  }

  /** Look-ups and paths that what was said so far reads, in their order. */
  get facts(): string[] {
    return [...this.asked]
  }

  /** Members of look-ups that are read, by their names; of one that is read as it stands `''` is among them. */
  get parts(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.partsOf
  }

  /** Fields of the form on which they depend: references that paths start from, and what look-ups read. */
  get reads(): string[] {
    const names = new Set<string>()
    const seen = new Set<string>()
    const visit = (name: string): void => {
      if (seen.has(name)) return
      seen.add(name)
      if (Object.hasOwn(this.fields, name)) names.add(name)
      for (const root of rootsIn(this.process.form.lookups?.[name])) visit(root)
    }
    for (const fact of this.asked) visit(fact.split('.', 1)[0]!)
    return [...names]
  }

  /** The expression over `$values`, or over `$record` for what a cell of `rows` says. What does not parse stays as it is. */
  say(text: string, rows?: string): string {
    const parsed = parseExpression(text)
    if (!parsed.ok) return text
    return printExpression(parsed.expression, (node, inner) => this.reword(node, inner, rows))
  }

  private reword(node: Node, inner: (node: AnyNode) => string, rows: string | undefined): string | undefined {
    switch (node.type) {
      case 'root':
        return this.root(node.name, rows)
      case 'binary':
        return ordered(node, inner, (a, b) => `compare(${a}, ${b}) ${node.operator} 0`)
      case 'member': {
        const behind = this.behind(node, inner, rows)
        if (behind !== undefined) return behind
        if (node.object.type === 'local' && this.exactCells.has(node.key)) return `number(${inner(node.object)}?.${node.key})`
        return node.optional ? undefined : inner({ ...node, optional: true })
      }
      case 'index':
        return node.optional ? undefined : inner({ ...node, optional: true })
      default:
        return undefined
    }
  }

  /** A field of the row, else of the form; what is none stands for itself. */
  private root(name: string, rows: string | undefined): string | undefined {
    const cell = rows === undefined ? undefined : this.fields[rows]?.rows?.fields[name]
    if (cell) return isExact(cell) ? `number($record?.${name})` : `$record?.${name}`
    const field = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined
    if (field) return isExact(field) ? `number($values.${name})` : `$values.${name}`
    if (name === 'head' && rows !== undefined) return '$values'
    return this.lookups.has(name) ? this.lookup(name) : undefined
  }

  /** A path through a reference: what the gateway told of the record that is named now. */
  private behind(node: Extract<Node, { type: 'member' }>, inner: (node: AnyNode) => string, rows?: string): string | undefined {
    const steps: string[] = []
    let at: Node = node
    for (;;) {
      if (at.type === 'chain') at = at.body
      else if (at.type === 'member') {
        steps.unshift(at.key)
        at = at.object
      } else break
    }
    if (at.type === 'local') return this.behindCell(steps, inner(at))
    if (at.type !== 'root') return undefined
    const head = at.name === 'head' && rows !== undefined
    const [first = '', ...rest] = head ? steps : [at.name, ...steps]
    if (rest.length === 0) return head ? this.root(first, undefined) : undefined
    const cell = rows === undefined || head ? undefined : this.fields[rows]?.rows?.fields[first]
    if (cell) return referenceOf(cell) === undefined ? undefined : this.fact(`${rows}.${first}`, rest, `$record?.${first}`)
    const field = Object.hasOwn(this.fields, first) ? this.fields[first] : undefined
    if (!field && this.lookups.has(first)) return this.lookup(first, rest)
    if (referenceOf(field) !== undefined) return this.fact(first, rest, `$values.${first}`)
    if (field?.['x-ref'] === undefined || rest[0] === 'length') return undefined
    return `map(($values.${first} ?? []), (id) => ${this.fact(first, rest, 'id')})`
  }

  /** The same for a row that an arrow function is about. */
  private behindCell([first = '', ...rest]: readonly string[], row: string): string | undefined {
    if (rest.length === 0) return undefined
    const rows = Object.entries(this.fields).find(([, field]) => referenceOf(field.rows?.fields[first]) !== undefined)?.[0]
    return rows === undefined ? undefined : this.fact(`${rows}.${first}`, rest, `${row}?.${first}`)
  }

  private lookup(name: string, [part, ...rest]: readonly string[] = []): string {
    this.asked.add(name)
    const parts = this.partsOf.get(name) ?? new Set<string>()
    this.partsOf.set(name, parts.add(part ?? WHOLE))
    return [`${FACTS}?.${name}`, ...(part === undefined ? [] : [part, ...rest])].join('?.')
  }

  private fact(field: string, rest: readonly string[], id: string): string {
    const path = [field, ...rest].join('.')
    this.asked.add(path)
    return `${FACTS}?.[${JSON.stringify(path)}]?.[${id}]`
  }
}
