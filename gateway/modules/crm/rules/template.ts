import type { FormNode, PageDocument } from '../../../../src/schema/generated/page'
import type { RuleTypes } from '../../../rules'

/** What the template says of one field. */
export type TemplateRow = RuleTypes['crm.template']['fields'][number]

/** What the customer template says of one field of one customer. */
export interface FieldTemplate {
  hidden: boolean
  required: boolean
  defaultValue: string | null
}

const ENTITY = 'crm.customer'
const FIRST_STAGE = 'potential'
/** A row of an older version says nothing of being shown. */
const hides = (row: TemplateRow): boolean => row.shown === false

/** Whether the conditions of a row hold for a customer; an empty condition holds everywhere. */
function holds(row: TemplateRow, record: Readonly<Record<string, unknown>>): boolean {
  return (
    (!row.partyType || row.partyType === record.partyType) &&
    (!row.tradeType || row.tradeType === record.tradeType) &&
    (!row.stages?.length || row.stages.includes(String(record.stage ?? FIRST_STAGE)))
  )
}

/**
 * What the template says of each field that it names, for one customer: hidden by any row that holds; else required by any;
 * the first default counts. Pure.
 */
export function templateFor(
  rows: readonly TemplateRow[],
  record: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, FieldTemplate> {
  const found = new Map<string, FieldTemplate>()
  for (const row of rows) {
    if (!holds(row, record)) continue
    const before = found.get(row.field)
    const hidden = hides(row) || before?.hidden === true
    found.set(row.field, {
      hidden,
      required: !hidden && (row.required || before?.required === true),
      defaultValue: before?.defaultValue ?? (row.defaultValue || null),
    })
  }
  return found
}

/** Fields of the customer that a form page asks for. */
export function customerFieldsOf(page: PageDocument): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (node: FormNode): void => {
    const field = fieldOf(node)
    if (field !== null) found.add(field)
    for (const child of Object.values(node.properties ?? {})) walk(child)
  }
  if (page.kind === 'form') walk(page.schema)
  return found
}

/**
 * The customer form with the template over it: a hidden field goes away while the form is filled in, and keeps its value in a
 * customer that has one; required and default follow the conditions. Pure.
 */
export function withTemplate(page: PageDocument, rows: readonly TemplateRow[]): PageDocument {
  if (page.kind !== 'form' || rows.length === 0) return page
  const walk = (node: FormNode): FormNode => {
    const own = rows.filter((row) => row.field === fieldOf(node))
    const changed = own.length === 0 ? node : withRows(node, own)
    if (!changed.properties) return changed
    const properties = Object.entries(changed.properties).map(([name, child]) => [name, walk(child)] as const)
    return { ...changed, properties: Object.fromEntries(properties) }
  }
  return { ...page, schema: walk(page.schema) }
}

const fieldOf = ({ $field }: FormNode): string | null =>
  $field?.startsWith(`${ENTITY}.`) ? $field.slice(ENTITY.length + 1) : null

function withRows(node: FormNode, rows: readonly TemplateRow[]): FormNode {
  const hidden = anyOf(rows.filter(hides))
  const required = anyOf(rows.filter((row) => row.required && !hides(row)))
  const given = rows.find((row) => row.defaultValue)
  return {
    ...node,
    // a new customer gets no value by a field that nobody sees; one that is there keeps what it has
    ...(hidden === null
      ? {}
      : {
          'x-visible': expression(both(wordOf(node['x-visible']), `!!$record?.id || !(${hidden})`)),
          'x-hidden': expression(either(wordOf(node['x-hidden']), `!!$record?.id && (${hidden})`)),
        }),
    ...(required === null || node.required === true
      ? {}
      : { 'x-required': expression(either(wordOf(node['x-required'] ?? node.required), required)) }),
    ...(given && node.default === undefined
      ? { default: expression(`${conditionOf(given)} ? ${JSON.stringify(given.defaultValue)} : null`) }
      : {}),
  }
}

const expression = (text: string): string => `{{ ${text} }}`
/** The expression that a word holds; null when it says nothing. */
function wordOf(word: unknown): string | null {
  if (typeof word === 'boolean') return String(word)
  const found = typeof word === 'string' ? /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(word) : null
  return found?.[1]?.trim() ?? null
}
const both = (a: string | null, b: string): string => (a === null ? b : `(${a}) && (${b})`)
const either = (a: string | null, b: string): string => (a === null ? b : `(${a}) || (${b})`)

const anyOf = (rows: readonly TemplateRow[]): string | null =>
  rows.length === 0 ? null : rows.map((row) => `(${conditionOf(row)})`).join(' || ')

/** The conditions of a row over a form; what the form does not ask for is read from the record. */
function conditionOf({ partyType, tradeType, stages }: TemplateRow): string {
  const read = (field: string): string => `($values.${field} || $record?.${field})`
  const parts = [
    ...(!partyType ? [] : [`${read('partyType')} === ${JSON.stringify(partyType)}`]),
    ...(!tradeType ? [] : [`${read('tradeType')} === ${JSON.stringify(tradeType)}`]),
    ...(!stages?.length ? [] : [`includes(${JSON.stringify(stages)}, ${read('stage')} || ${JSON.stringify(FIRST_STAGE)})`]),
  ]
  return parts.length === 0 ? 'true' : parts.join(' && ')
}
