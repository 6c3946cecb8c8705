import type { CallModel, FieldKind, PageField, FormModel, FormNodeModel, Scope, Source } from '../../schema/model'
import type { Locale } from '../../schema/problem'

const ARRAYS: readonly FieldKind[] = ['dictionaries', 'refs', 'countries', 'files', 'strings', 'lines']

const typeOf = (kind: FieldKind): FormNodeModel['type'] => {
  if (ARRAYS.includes(kind)) return 'array'
  if (kind === 'boolean') return 'boolean'
  if (kind === 'integer') return 'number'
  return kind === 'json' || kind === 'file' ? 'object' : 'string'
}

/** The form node of an entity field, as a form page would inherit it; what only this step sets may be typed here. */
const nodeOf = (field: PageField, required: boolean): FormNodeModel => ({
  type: typeOf(field.kind),
  title: field.label,
  ...(field.help ? { description: field.help } : {}),
  ...(required ? { required: true } : {}),
  ...(field.default === undefined ? {} : { default: field.default }),
  ...(field.dictionary
    ? { enum: field.dictionary.options.filter((option) => !option.retired).map(({ code, label }) => ({ label, value: code })) }
    : {}),
  'x-field': field.readOnly ? { ...field, readOnly: false } : field,
})

export interface FieldsForm {
  id: string
  title: string
  fields: readonly PageField[]
  required: readonly string[]
  initial: Readonly<Record<string, unknown>>
  /** The record that they are fields of, where it is there already: what they follow stands in it. */
  held?: Readonly<Record<string, unknown>>
  call: CallModel
  /** The body of the call, from the values that were entered. */
  params(values: Readonly<Record<string, unknown>>): Record<string, unknown>
  submitLabel: string
  danger?: boolean
  success: string
  locale: Locale
  source: Source
}

/** A form over a few fields that no page describes: what a transition asks for, or one field that is edited in place. */
export const fieldsForm = ({
  id,
  title,
  fields,
  required,
  initial,
  held,
  call,
  params,
  submitLabel,
  danger = false,
  success,
  locale,
  source,
}: FieldsForm): FormModel => ({
  kind: 'form',
  id,
  title,
  locale,
  revision: '',
  source,
  problems: [],
  schema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, nodeOf(field, required.includes(field.name))])),
  },
  layout: { columns: 1, labels: 'top', anchors: false },
  record: () => undefined,
  initial: () => ({ ...initial }),
  ...(held ? { held } : {}),
  submit: {
    call,
    params: (scope: Scope) => params((scope.$values ?? {}) as Readonly<Record<string, unknown>>),
    label: submitLabel,
    success,
    idempotent: true,
    danger,
  },
  draft: false,
  readPretty: false,
})
