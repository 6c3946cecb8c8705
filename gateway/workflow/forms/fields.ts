import type { Form, FormField } from '../../../src/schema/generated/process'
import { fieldsOf, type FieldType } from '../../../src/schema/process'
import type { Text } from '../../platform/http'

/** A field of a form as lists and files of fields show it (money 7.1 `wf.formField`); what they do not show of it stays. */
export interface FieldSpec {
  /** Name of the field; never changed. Of a cell: `rows.cell`. */
  key: string
  zh: string
  en: string
  /** Code of the dictionary fieldType. */
  type: FieldType | 'note'
  /** dict: name of the dictionary. */
  dict?: string | null
  /** ref, refs: name of the entity. */
  refEntity?: string | null
  /** money: field that holds the currency, or a code in capitals. */
  currency?: string | null
  required?: boolean
  default?: unknown
  helpZh?: string | null
  helpEn?: string | null
  /** Expressions. */
  visibleIf?: string | null
  requiredIf?: string | null
  /** It follows this expression and is not typed. */
  computed?: string | null
  /** What it holds until somebody types something else. */
  suggest?: string | null
  maxLength?: number | null
  minimum?: number | null
  maximum?: number | null
  /** Decimals stored. */
  scale?: number | null
  branchable?: boolean | null
  /** Key without which the field is hidden. */
  sensitive?: string | null
  /** Group of the form that it stands in. */
  group?: string | null
  /** Place among the fields, from 0. */
  sort?: number
}

/** A field that is stored, with the id by which calls name it. */
export interface ListedField extends FieldSpec {
  /** `<formId>.<key>` */
  id: string
  formId: string
}

type Json = Record<string, unknown>

const KINDS: Readonly<Record<FieldSpec['type'], (spec: FieldSpec) => Json>> = {
  string: () => ({ type: 'string', maxLength: 200 }),
  text: () => ({ type: 'string', format: 'text', maxLength: 2000 }),
  richText: () => ({ type: 'string', format: 'richText' }),
  integer: () => ({ type: 'integer' }),
  decimal: () => ({ type: 'string', format: 'decimal' }),
  money: ({ currency }) => ({ type: 'string', format: 'money', 'x-money': currency ?? 'currency' }),
  percent: () => ({ type: 'string', format: 'percent' }),
  date: () => ({ type: 'string', format: 'date' }),
  datetime: () => ({ type: 'string', format: 'date-time' }),
  boolean: () => ({ type: 'boolean' }),
  dict: ({ dict }) => ({ type: 'string', 'x-dictionary': dict ?? '' }),
  ref: ({ refEntity }) => ({ type: 'string', 'x-ref': refEntity ?? '' }),
  refs: ({ refEntity }) => ({ type: 'array', items: { type: 'string' }, 'x-ref': refEntity ?? '' }),
  staff: () => ({ type: 'string', 'x-ref': 'sys.staff' }),
  dept: () => ({ type: 'string', 'x-ref': 'sys.department' }),
  file: () => ({ type: 'object', format: 'file' }),
  files: () => ({ type: 'array', items: { type: 'object', format: 'file' } }),
  rows: () => ({ type: 'array', rows: { fields: {} } }),
  json: () => ({ type: 'object', format: 'json' }),
  computed: () => ({ type: 'string', maxLength: 200 }),
  note: () => ({ type: 'string', format: 'text' }),
}

/** Words that say what kind of field it is: another kind replaces them. */
const OF_KIND = ['type', 'format', 'items', 'x-dictionary', 'x-ref', 'x-money', 'rows', 'maxLength']

/** What somebody typed for a field, over the field as it stands. */
export function fieldOf(spec: FieldSpec, before?: FormField): FormField {
  const old = (before ?? {}) as unknown as Json
  const sameKind = before !== undefined && kindOf(before) === spec.type
  const kept = Object.fromEntries(Object.entries(old).filter(([word]) => sameKind || !OF_KIND.includes(word)))
  const field: Json = {
    ...(sameKind ? {} : KINDS[spec.type](spec)),
    ...kept,
    'x-label': { zh: spec.zh, en: spec.en },
  }
  const put = (word: string, value: unknown) => {
    if (value === undefined) return
    if (value === null || value === '') delete field[word]
    else field[word] = value
  }
  if (sameKind)
    for (const [word, value] of Object.entries(KINDS[spec.type](spec)))
      if (['x-dictionary', 'x-ref'].includes(word)) field[word] = value
  if (spec.type === 'money') put('x-money', spec.currency)
  put('x-help', spec.helpZh === undefined && spec.helpEn === undefined ? undefined : helpOf(spec))
  put('visible', spec.visibleIf)
  put('requiredIf', spec.requiredIf)
  put('value', spec.computed)
  put('suggest', spec.suggest)
  put('default', spec.default)
  put('maxLength', spec.maxLength)
  put('minimum', spec.minimum)
  put('maximum', spec.maximum)
  put('x-scale', spec.scale)
  put('branchable', spec.branchable)
  put('x-sensitive', spec.sensitive)
  return field as unknown as FormField
}

const helpOf = ({ helpZh, helpEn }: FieldSpec): Text | null => {
  const [zh, en] = [helpZh ?? helpEn, helpEn ?? helpZh]
  return zh && en ? { zh, en } : null
}

/** The kind of a field, of one that follows others too. */
function kindOf(field: FormField): FieldType {
  const { value: _value, ...typed } = field as unknown as Json
  const [summary] = fieldsOf({ form: { fields: { it: typed as unknown as FormField } } })
  return summary?.type ?? 'string'
}

/** The fields of a form, rows before their cells, in their order. */
export function listFields(formId: string, form: Form): ListedField[] {
  const groupOf = new Map((form.groups ?? []).flatMap(({ id, fields }) => fields.map((key) => [key, id] as const)))
  const listed = (key: string, field: FormField, required: boolean, sort: number, group: string | null): ListedField => {
    const words = field as unknown as Json
    const [label, help] = [words['x-label'], words['x-help']] as [Text | undefined, Text | undefined]
    return {
      id: `${formId}.${key}`,
      formId,
      key,
      zh: label?.zh ?? key,
      en: label?.en ?? key,
      type: kindOf(field),
      dict: (words['x-dictionary'] as string | undefined) ?? null,
      refEntity: (words['x-ref'] as string | undefined) ?? null,
      currency: (words['x-money'] as string | undefined) ?? null,
      required,
      default: words['default'] ?? null,
      helpZh: help?.zh ?? null,
      helpEn: help?.en ?? null,
      visibleIf: field.visible ?? null,
      requiredIf: field.requiredIf ?? null,
      computed: field.value ?? null,
      suggest: field.suggest ?? null,
      maxLength: (words['maxLength'] as number | undefined) ?? null,
      minimum: (words['minimum'] as number | undefined) ?? null,
      maximum: (words['maximum'] as number | undefined) ?? null,
      scale: (words['x-scale'] as number | undefined) ?? null,
      branchable: field.branchable ?? null,
      sensitive: (words['x-sensitive'] as string | undefined) ?? null,
      group,
      sort,
    }
  }
  return Object.entries(form.fields).flatMap(([key, field], sort) => [
    listed(key, field, form.required?.includes(key) ?? false, sort, groupOf.get(key) ?? null),
    ...Object.entries(field.rows?.fields ?? {}).map(([cell, inner], place) =>
      listed(`${key}.${cell}`, inner, field.rows?.required?.includes(cell) ?? false, place, null),
    ),
  ])
}

/** The form with a field added or changed; `sort` moves it. A key `rows.cell` is a cell of rows that have to be there. Null: there are no such rows. */
export function withField(form: Form, spec: FieldSpec): Form | null {
  const [first = '', cell] = spec.key.split('.')
  if (cell === undefined) {
    const fields = placed(form.fields, first, fieldOf(spec, form.fields[first]), spec.sort)
    const required = requiredWith(form.required, first, spec.required)
    return grouped({ ...form, fields, ...(required ? { required } : {}) }, first, spec.group)
  }
  const owner = form.fields[first]
  if (!owner?.rows) return null
  const required = requiredWith(owner.rows.required, cell, spec.required)
  const fields = placed(owner.rows.fields, cell, fieldOf({ ...spec, key: cell }, owner.rows.fields[cell]), spec.sort)
  return {
    ...form,
    fields: { ...form.fields, [first]: { ...owner, rows: { ...owner.rows, fields, ...(required ? { required } : {}) } } },
  }
}

/** The form without a field, in its groups and lists too. */
export function withoutField(form: Form, key: string): Form {
  const [first = '', cell] = key.split('.')
  const without = <Value>(fields: Readonly<Record<string, Value>>, name: string) =>
    Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))
  if (cell !== undefined) {
    const owner = form.fields[first]
    if (!owner?.rows) return form
    const rows = {
      ...owner.rows,
      fields: without(owner.rows.fields, cell),
      ...listWithout('required', owner.rows.required, cell),
    }
    return { ...form, fields: { ...form.fields, [first]: { ...owner, rows } } }
  }
  return {
    ...form,
    fields: without(form.fields, first),
    ...listWithout('required', form.required, first),
    ...(form.groups ? { groups: ungrouped(form.groups, first) } : {}),
  }
}

const listWithout = (word: string, list: readonly string[] | undefined, name: string) =>
  list ? { [word]: list.filter((other) => other !== name) } : {}

const ungrouped = (groups: NonNullable<Form['groups']>, name: string): NonNullable<Form['groups']> =>
  groups
    .map((group) => ({ ...group, fields: group.fields.filter((other) => other !== name) }))
    .filter(({ fields }) => fields.length > 0)

function placed(
  fields: Readonly<Record<string, FormField>>,
  key: string,
  field: FormField,
  sort?: number,
): Record<string, FormField> {
  if (sort === undefined) return { ...fields, [key]: field }
  const others = Object.entries(fields).filter(([other]) => other !== key)
  return Object.fromEntries([...others.slice(0, sort), [key, field], ...others.slice(sort)])
}

function requiredWith(list: readonly string[] | undefined, key: string, required: boolean | undefined): string[] | undefined {
  if (required === undefined) return list ? [...list] : undefined
  const others = (list ?? []).filter((other) => other !== key)
  return required ? [...others, key] : list ? others : undefined
}

function grouped(form: Form, key: string, group: string | null | undefined): Form {
  if (group === undefined || !form.groups) return form
  if (form.groups.find(({ id }) => id === group)?.fields.includes(key)) return form
  const groups = ungrouped(form.groups, key).map((one) => (one.id === group ? { ...one, fields: [...one.fields, key] } : one))
  return { ...form, groups }
}
