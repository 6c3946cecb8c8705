import { allFields, compileEntity, type EntityModel, type FieldModel } from '../src/schema/entity'
import type { EntityDocument } from '../src/schema/generated/entity'
import type { FieldKind } from '../src/schema/model'

/** What PostgreSQL answers for a kind of field (gateway/entities/storage.ts): exact numbers, days and moments as text. */
const BY_KIND: Readonly<Record<FieldKind, string>> = {
  string: 'string',
  text: 'string',
  richText: 'string',
  integer: 'number',
  decimal: 'string',
  money: 'string',
  percent: 'string',
  boolean: 'boolean',
  date: 'string',
  dateTime: 'string',
  dictionary: 'string',
  dictionaries: 'string[]',
  ref: 'string',
  refs: 'string[]',
  country: 'string',
  countries: 'string[]',
  phone: 'string',
  email: 'string',
  url: 'string',
  file: 'FileValue',
  files: 'FileValue[]',
  currency: 'string',
  mccmnc: 'string',
  json: 'unknown',
  strings: 'string[]',
  lines: 'unknown[]',
}

/** An entity of nothing but what every record has. */
const bare = (scope?: 'owned'): EntityDocument => ({
  formatVersion: 3,
  name: 'sys.bare',
  label: { zh: '', en: '' },
  titleField: 'id',
  type: 'object',
  properties: {},
  ...(scope ? { 'x-scope': scope } : {}),
})
const namesOf = (document: EntityDocument): ReadonlySet<string> => new Set(allFields(document).map(({ name }) => name))
const BASE = namesOf(bare())
const OWNED = new Set([...namesOf(bare('owned'))].filter((name) => !BASE.has(name)))

/** Columns that the engine fills in every row. */
const STAMPED: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'version'])

/** `crm.customer` as `CrmCustomer`. */
const pascal = (name: string): string => name.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Whether every stored record has a value: what has to be given, a number of the portal, a state. */
function isFilled(model: EntityModel, field: FieldModel): boolean {
  return (
    STAMPED.has(field.name) ||
    field.required ||
    field.sequence !== undefined ||
    model.machines.some((machine) => machine.field === field.name)
  )
}

function typeOf(field: FieldModel, known: ReadonlySet<string>): string {
  const rows = field.field['x-lines']?.entity
  if (rows !== undefined && known.has(rows)) return `${pascal(rows)}[]`
  return BY_KIND[field.kind]
}

function fieldLine(model: EntityModel, field: FieldModel, known: ReadonlySet<string>): string {
  const type = typeOf(field, known)
  if (field.storage !== 'stored') return `  ${field.name}?: ${type === 'unknown' ? type : `${type} | null`}`
  return `  ${field.name}: ${type === 'unknown' || isFilled(model, field) ? type : `${type} | null`}`
}

function interfaceOf(name: string, parents: readonly string[], lines: readonly string[], comment: string): string {
  const parent = parents.length > 0 ? ` extends ${parents.join(', ')}` : ''
  return `/** ${comment} */\nexport interface ${name}${parent} {\n${lines.join('\n')}\n}`
}

/**
 * The record of every entity as the gateway reads it, a line each field, and the map from the name of an entity to its record. Fields
 * that are not stored (worked out when they are read, filled by a service, lines) may be absent. Pure.
 */
export function generateEntityTypes(documents: readonly EntityDocument[], banner: string): string {
  const known = new Set(documents.map(({ name }) => name))
  const [base, owned] = [compileEntity(bare()), compileEntity(bare('owned'))]
  const linesOf = (model: EntityModel, has: (field: FieldModel) => boolean): string[] =>
    [...model.fields.values()].filter(has).map((field) => fieldLine(model, field, known))
  const records = documents.map((document) => {
    const model = compileEntity(document)
    const isOwned = document['x-scope'] === 'owned'
    const shared = new Set([...BASE, ...(isOwned ? OWNED : [])].filter((name) => model.document.properties[name] === undefined))
    return interfaceOf(
      pascal(document.name),
      [isOwned ? 'OwnedFields' : 'BaseFields'],
      linesOf(model, ({ name }) => !shared.has(name)),
      document.label.en,
    )
  })
  const isFile = (text: string): boolean => text.includes('FileValue')
  return `${[
    banner,
    ...(records.some(isFile) ? [`import type { FileValue } from '../formats'`] : []),
    interfaceOf(
      'BaseFields',
      [],
      linesOf(base, () => true),
      'What every record has.',
    ),
    interfaceOf(
      'OwnedFields',
      ['BaseFields'],
      linesOf(owned, ({ name }) => OWNED.has(name)),
      'What every record of an owned entity has.',
    ),
    ...records,
    interfaceOf(
      'EntityTypes',
      [],
      documents.map(({ name }) => `  '${name}': ${pascal(name)}`),
      'The record of every entity by its name.',
    ),
  ].join('\n\n')}\n`
}
