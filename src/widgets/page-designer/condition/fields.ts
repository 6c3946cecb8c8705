import { fieldKind } from '../../../schema/formats'
import type { FieldKind } from '../../../schema/model'
import { isObject, splitAddress, type JsonObject } from '../../../schema/overlay'
import type { Locale } from '../../../schema/problem'
import { rowEntityName } from '../../../schema/process'
import type { Design } from '../editor/design'
import { freeFields } from '../form/room'
import type { FieldChoice } from '../language/labels'
import type { Operator } from './terms'

/** A field that a condition can read. */
export interface ConditionField {
  /** As expressions say it. */
  path: string
  label: string
  kind: FieldKind
  /** Whose field it is, where its values have a control of their own. */
  of?: { entity: string; name: string }
  options?: readonly { value: string | number; label: string }[]
}

type Around = Pick<Design, 'document' | 'labels' | 'language' | 'dictionaries'>

const ofEntity = (
  { labels, dictionaries }: Around,
  at: string,
  choice: FieldChoice,
  path: string,
  locale: Locale,
  entity = labels.entityNameAt(at),
): ConditionField => {
  const items = dictionaries[choice.field['x-dictionary'] ?? '']?.items.filter(({ retired }) => !retired)
  return {
    path,
    label: choice.label[locale],
    kind: fieldKind(choice.field),
    ...(entity === undefined ? {} : { of: { entity, name: choice.name } }),
    ...(items ? { options: items.map(({ code, label }) => ({ value: code, label: label[locale] })) } : {}),
  }
}

const OF_TYPES: Readonly<Record<string, FieldKind>> = { number: 'integer', boolean: 'boolean', array: 'strings', object: 'json' }

const ofNode = (around: Around, at: string, name: string, node: JsonObject, path: string, locale: Locale): ConditionField => {
  const { labels } = around
  const named = typeof node.$field === 'string' ? labels.field(at, node.$field) : undefined
  const label = labels.item(at, name, node)
  if (named && typeof node.$field === 'string') {
    const dot = node.$field.lastIndexOf('.')
    const of = { entity: node.$field.slice(0, dot), name: node.$field.slice(dot + 1) }
    return { ...ofEntity(around, at, named, path, locale), label, of }
  }
  const options = Array.isArray(node.enum)
    ? (node.enum as unknown[]).flatMap((one) => {
        const value = isObject(one) ? (one.value ?? one.key) : one
        return typeof value === 'string' || typeof value === 'number'
          ? [{ value, label: (isObject(one) ? labels.text(one.label ?? one.title) : undefined) ?? String(value) }]
          : []
      })
    : []
  return {
    path,
    label,
    kind: OF_TYPES[String(node.type)] ?? (node['x-component'] === 'DatePicker' ? 'date' : 'string'),
    ...(options.length > 0 ? { options } : {}),
  }
}

/** The fields of a form that stand in a node, with the name of each before that of what it holds. */
const inForm = (around: Around, node: unknown, at: string, prefix: string, locale: Locale): ConditionField[] =>
  Object.entries(isObject(node) && isObject(node.properties) ? node.properties : {}).flatMap(([name, child]) => {
    if (!isObject(child)) return []
    const here = `${at}/properties/${name}`
    if (child.type === 'void') return inForm(around, child, here, prefix, locale)
    // several values under one name
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return []
    const path = `${prefix}${name}`
    const below = child.type === 'object' ? inForm(around, child, here, `${path}.`, locale) : []
    return below.length > 0 ? below : [ofNode(around, here, name, child, path, locale)]
  })

/** The rows that a node of a form stands in, innermost first. */
const rowsAround = (document: unknown, at: string): readonly { node: unknown; at: string }[] => {
  const found: { node: unknown; at: string }[] = []
  let node = document
  let here = ''
  for (const step of splitAddress(at)) {
    node = isObject(node) ? node[step] : undefined
    here = here === '' ? step : `${here}/${step}`
    if (step === 'items' && isObject(node)) found.unshift({ node, at: here })
  }
  return found
}

/** What the cells of rows of an approval form say stands below. */
const OF_CELLS = /^form\/fields\/([^/]+)\/rows\//

/** Inside rows of an approval form: the cells of the row, then the form, whose fields of the same names are those of its head. */
const inFormRows = (around: Around, at: string, rows: string, locale: Locale): ConditionField[] => {
  const { document, labels } = around
  const entity = rowEntityName({ name: String(document.name) }, rows)
  const cells = labels.fieldsOf(entity)
  const own = new Set(cells.map(({ name }) => name.split('.')[0]))
  return [
    ...cells.map((choice) => ofEntity(around, at, choice, choice.name, locale, entity)),
    ...labels
      .fieldsAt(at)
      .filter(({ name }) => name.split('.')[0] !== rows)
      .map((choice) =>
        ofEntity(around, at, choice, own.has(choice.name.split('.')[0]) ? `head.${choice.name}` : choice.name, locale),
      ),
  ]
}

/** Parts of pages whose expressions read a row. */
const OF_ROWS: ReadonlySet<string> = new Set(['rowActions', 'columns'])

/** The fields that conditions at an address can read. */
export const conditionFields = (around: Around, at: string, locale: Locale): readonly ConditionField[] => {
  const { document, labels, language } = around
  const steps = splitAddress(at)
  if (language.kind === 'page' && steps[0] === 'schema') {
    const [row] = rowsAround(document, at)
    const entity = labels.entityNameAt('schema')
    const rest =
      document.rest === false || entity === undefined
        ? []
        : freeFields(around).map((choice) => ofEntity(around, 'schema', choice, `$values.${choice.name}`, locale))
    return [
      ...(row ? inForm(around, row.node, row.at, '$record.', locale) : []),
      ...inForm(around, document.schema, 'schema', '$values.', locale),
      ...rest,
    ]
  }
  const rows = language.kind === 'process' ? OF_CELLS.exec(at)?.[1] : undefined
  if (rows !== undefined) return inFormRows(around, at, rows, locale)
  const prefix =
    language.kind === 'entity' || language.kind === 'process'
      ? ''
      : steps.some((step) => OF_ROWS.has(step))
        ? 'row.'
        : document.kind === 'detail'
          ? 'record.'
          : null
  if (prefix === null || language.kind === 'dictionary' || language.kind === 'module') return []
  return labels
    .fieldsAt(at)
    .filter(({ name }) => prefix === '' || !name.includes('.'))
    .map((choice) => ofEntity(around, at, choice, `${prefix}${choice.name}`, locale))
}

const ORDERED = ['gt', 'gte', 'lt', 'lte'] as const
const EXISTS = ['notEmpty', 'empty'] as const
const SAME = ['eq', 'ne'] as const

/** How a field can be compared, the usual way first. */
export const operatorsOf = (field: ConditionField | undefined): readonly Operator[] => {
  if (!field) return [...SAME, ...ORDERED, 'in', 'notIn', 'contains', 'startsWith', ...EXISTS, 'holds', 'holdsNot']
  switch (field.kind) {
    case 'boolean':
      return ['eq', ...EXISTS]
    case 'integer':
      return [...SAME, ...ORDERED, ...EXISTS]
    // they are texts, of which several say one number
    case 'decimal':
    case 'money':
    case 'percent':
      return [...ORDERED, ...EXISTS]
    case 'date':
    case 'dateTime':
      return ['gte', 'lte', 'eq', ...EXISTS]
    case 'dictionaries':
    case 'refs':
    case 'strings':
    case 'countries':
      return ['contains', ...EXISTS]
    case 'json':
    case 'file':
    case 'files':
    case 'lines':
    case 'richText':
      return EXISTS
    case 'dictionary':
    case 'country':
    case 'currency':
    case 'ref':
      return [...SAME, 'in', 'notIn', ...EXISTS]
    default:
      return field.options ? [...SAME, 'in', 'notIn', ...EXISTS] : [...SAME, 'contains', 'startsWith', ...EXISTS]
  }
}
