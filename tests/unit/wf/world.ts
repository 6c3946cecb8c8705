import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Amount, compileExpression, isExpression, type Environment } from '../../../src/schema/expression'
import { currencyDigits, currencyOf, Exact, roundedText, toExact } from '../../../src/schema/formats'
import type { FormField, Node, ProcessDocument } from '../../../src/schema/generated/process'
import { formFields, isExact, isForPeople, nodeById, tolerantText } from '../../../src/schema/process'

const SCHEMAS = join(import.meta.dirname, '../../../schemas')

/** A shipped process by its module and code. */
export const shipped = (module: string, file: string): ProcessDocument =>
  JSON.parse(readFileSync(join(SCHEMAS, module, 'processes', `${file}.json`), 'utf8')) as ProcessDocument

/** The values of a shipped rule set. */
export const shippedRule = (module: string, file: string): Values =>
  (JSON.parse(readFileSync(join(SCHEMAS, module, 'rules', `${file}.json`), 'utf8')) as { defaults: Values }).defaults

export type Values = Readonly<Record<string, unknown>>

/** What stands around a form: the records that its references name, by their id, and what its look-ups find. */
export interface Around {
  records?: Readonly<Record<string, Values>>
  lookups?: Values
  /** Of the application; empty before it is started. */
  instance?: Values
}

export const TODAY = '2026-11-20'
const NOW = '2026-11-20T02:00:00.000Z'
/** What one unit is worth in CNY, as in the worked examples. */
const CNY: Readonly<Record<string, string>> = { CNY: '1', USD: '7.1', EUR: '7.7035', HKD: '0.91' }

const environment: Environment = {
  locale: 'en',
  timeZone: 'Asia/Shanghai',
  dictionaryLabel: (_dictionary, code) => code,
  exchangeRate: (from, to) => {
    const [one, other] = [CNY[from], CNY[to]]
    return one === undefined || other === undefined ? undefined : new Exact(one).dividedBy(new Exact(other))
  },
}

const MOST_PASSES = 8

/** A value as its field keeps it: numbers of exact fields as text, money with the digits of its currency. */
function kept(field: FormField, value: unknown, around: Values): unknown {
  if (value === null || value === undefined) return null
  const exact = isExact(field) ? toExact(value) : undefined
  if (!exact) return value
  const currency =
    field.format === 'money' ? currencyOf({ 'x-money': field['x-money'] as string | undefined }, around) : undefined
  return currency ? roundedText(exact, currencyDigits(currency)) : String(value)
}

/** A form filled in: what its expressions read, with the values that follow others worked out. */
export class Filled {
  readonly values: Record<string, unknown>

  constructor(
    readonly process: ProcessDocument,
    given: Values,
    readonly around: Around = {},
  ) {
    this.values = { ...given }
    for (let pass = 0; pass < MOST_PASSES && this.follow(); pass += 1);
  }

  /** The same form after somebody changed some of it. */
  with(changes: Values): Filled {
    return new Filled(this.process, { ...this.values, ...changes }, this.around)
  }

  /** What an expression of the process says of it. */
  say(text: string, row?: { of: string; values: Values }): unknown {
    if (!isExpression(text)) return text
    const cells = row === undefined ? {} : this.read(this.cells(row.of), row.values)
    const form = this.read(formFields(this.process.form), this.values)
    const scope = {
      ...Object.fromEntries(Object.keys(this.process.form.lookups ?? {}).map((name) => [name, null])),
      ...this.around.lookups,
      ...form,
      instance: { id: null, startedAt: null, ...this.around.instance },
      applicant: { name: 'Wang' },
      user: {},
      before: null,
      now: NOW,
      today: TODAY,
      ...(row === undefined ? {} : { ...cells, head: form }),
    }
    return compileExpression(tolerantText(text))(scope, environment)
  }

  /** Ids of the rules of the form, and of one node's, that are broken. */
  broken(nodeId?: string): string[] {
    const rules = [
      ...(this.process.form.rules ?? []),
      ...(nodeId === undefined ? [] : (nodeById(this.process, nodeId)?.rules ?? [])),
    ]
    return rules.filter(({ when }) => this.say(when)).map(({ id }) => id)
  }

  /** The checks that refuse it, with their codes. */
  refused(): string[] {
    return (this.process.checks ?? []).filter(({ when }) => this.say(when)).map(({ id, code }) => `${id} ${code ?? 10060059}`)
  }

  /** Whether a field is shown, by its own word and by that of its group. */
  shows(name: string): boolean {
    const visible = this.process.form.fields[name]?.visible
    const group = (this.process.form.groups ?? []).find(({ fields }) => fields.includes(name))?.when
    return [visible, group].every((word) => word === undefined || Boolean(this.say(word)))
  }

  /** Whether a field has to be filled in at the start. */
  asks(name: string): boolean {
    const { requiredIf } = this.process.form.fields[name] ?? {}
    return (this.process.form.required ?? []).includes(name) || (requiredIf !== undefined && Boolean(this.say(requiredIf)))
  }

  /** Ids of the steps of people that it takes, in their order; those of parallel branches after one another. */
  path(): string[] {
    return this.steps()
      .filter(isForPeople)
      .map(({ id }) => id)
  }

  /** Every node that it passes. */
  steps(): Node[] {
    const passed: Node[] = []
    this.walk(this.process.nodes, passed)
    return passed
  }

  private walk(nodes: readonly Node[], passed: Node[]): boolean {
    for (const node of nodes) {
      passed.push(node)
      if (node.kind === 'end') return false
      const branches = node.branches ?? []
      const holding = branches.filter(({ when }) => when === undefined || this.say(when))
      const taken = node.kind === 'condition' ? holding.slice(0, 1) : node.kind === 'parallel' ? branches : holding
      for (const branch of taken) if (!this.walk(branch.nodes, passed)) return false
    }
    return true
  }

  private cells(of: string): Readonly<Record<string, FormField>> {
    return this.process.form.fields[of]?.rows?.fields ?? {}
  }

  /** Values as expressions read them: exact numbers, and for references the records that they name. */
  private read(fields: Readonly<Record<string, FormField>>, values: Values): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const { [name]: value = null } = values
        if (value === null || value === '') return [name, null]
        if (field.rows && Array.isArray(value))
          return [name, value.map((row: Values) => ({ ...row, ...this.read(this.cells(name), row) }))]
        if (field['x-ref'] !== undefined && typeof value === 'string') return [name, this.around.records?.[value] ?? value]
        return [name, isExact(field) ? this.amount(field, value, values) : value]
      }),
    )
  }

  private amount(field: FormField, value: unknown, values: Values): unknown {
    const exact = toExact(value)
    if (!exact) return null
    const word = field['x-money']
    if (typeof word !== 'string') return new Amount(exact, undefined, String(value))
    const currency = word === word.toUpperCase() ? word : values[word]
    return new Amount(exact, typeof currency === 'string' ? currency : null, String(value))
  }

  /** One round of the values that follow others; whether one of them changed. */
  private follow(): boolean {
    const before = JSON.stringify(this.values)
    for (const [name, field] of Object.entries(this.process.form.fields)) {
      if (field.rows) {
        const rows = this.values[name]
        if (!Array.isArray(rows)) continue
        this.values[name] = rows.map((given: Values) => {
          const row = { ...given }
          for (const [cell, inner] of Object.entries(field.rows?.fields ?? {}))
            if (inner.value !== undefined) row[cell] = kept(inner, this.say(inner.value, { of: name, values: row }), row)
          return row
        })
      } else if (field.value !== undefined) this.values[name] = kept(field, this.say(field.value), this.values)
    }
    return JSON.stringify(this.values) !== before
  }
}
