import { fieldKind } from '../formats'
import type { EntityField } from '../generated/entity'
import type { FormField, ProcessDocument } from '../generated/process'
import type { FieldKind } from '../model'
import type { BilingualText } from '../problem'
import { formFields } from './head'

/** Code of the dictionary fieldType. */
export type FieldType =
  | 'string'
  | 'text'
  | 'richText'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'percent'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'dict'
  | 'ref'
  | 'refs'
  | 'staff'
  | 'dept'
  | 'file'
  | 'files'
  | 'rows'
  | 'json'
  | 'computed'

const TYPES: Readonly<Partial<Record<FieldKind, FieldType>>> = {
  text: 'text',
  richText: 'richText',
  integer: 'integer',
  decimal: 'decimal',
  money: 'money',
  percent: 'percent',
  date: 'date',
  dateTime: 'datetime',
  boolean: 'boolean',
  dictionary: 'dict',
  dictionaries: 'dict',
  ref: 'ref',
  refs: 'refs',
  file: 'file',
  files: 'files',
  json: 'json',
  strings: 'json',
}

/** A field of a form as lists of fields show it. */
export interface FieldSummary {
  key: string
  label: BilingualText
  type: FieldType
  dictionary?: string
  ref?: string
  required: boolean
  /** Conditions of branches may read it. */
  branchable: boolean
  /** Of a cell: the field whose rows it stands in. */
  row?: string
}

/** Words that only a field of a form has; all others are those of an entity's field. */
const OF_FORMS: ReadonlySet<string> = new Set(['visible', 'requiredIf', 'value', 'suggest', 'rows', 'branchable'])

/** The field in the words of entities. What follows others (`value`) is read-only. */
export function entityField(field: FormField): EntityField {
  const kept = Object.fromEntries(Object.entries(field).filter(([word]) => !OF_FORMS.has(word))) as unknown as EntityField
  return field.value === undefined ? kept : { ...kept, readOnly: true }
}

/** Kinds whose values are exact numbers, which travel as text. */
const EXACT: ReadonlySet<FieldKind> = new Set(['decimal', 'money', 'percent'])

/** Whether the values of a field are decimal text. */
export const isExact = (field: FormField): boolean => !field.rows && EXACT.has(fieldKind(entityField(field)))

/** The entity whose records a field names one of; undefined for all other fields. */
export const referenceOf = (field: FormField | undefined): string | undefined =>
  field && field.type !== 'array' ? field['x-ref'] : undefined

const DECIDABLE: ReadonlySet<FieldType> = new Set([
  ...(['integer', 'decimal', 'money', 'percent', 'date', 'datetime', 'boolean', 'dict', 'ref', 'refs', 'staff', 'dept'] as const),
])

function typeOf(field: FormField): FieldType {
  if (field.rows) return 'rows'
  if (field['x-ref'] === 'sys.staff') return field.type === 'array' ? 'refs' : 'staff'
  if (field['x-ref'] === 'sys.department' && field.type !== 'array') return 'dept'
  return TYPES[fieldKind(entityField(field))] ?? 'string'
}

const summary = (key: string, field: FormField, required: boolean, row?: string): FieldSummary => {
  const type = typeOf(field)
  return {
    key,
    label: field['x-label'],
    type: field.value === undefined || type === 'rows' ? type : 'computed',
    ...(field['x-dictionary'] === undefined ? {} : { dictionary: field['x-dictionary'] }),
    ...(field['x-ref'] === undefined ? {} : { ref: field['x-ref'] }),
    required,
    branchable: field.branchable ?? (row === undefined && DECIDABLE.has(type)),
    ...(row === undefined ? {} : { row }),
  }
}

/** All fields of a process' form, with those that every form has, flat: rows before their cells, in the order of the document. */
export const fieldsOf = ({ form }: Pick<ProcessDocument, 'form'>): FieldSummary[] =>
  Object.entries(formFields(form)).flatMap(([key, field]) => [
    summary(key, field, form.required?.includes(key) ?? false),
    ...Object.entries(field.rows?.fields ?? {}).map(([name, cell]) =>
      summary(name, cell, field.rows?.required?.includes(name) ?? false, key),
    ),
  ])
