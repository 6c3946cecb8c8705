import type { Form, FormField } from '../../../../schema/generated/process'
import type { BilingualText } from '../../../../schema/problem'
import { fieldsOf, type FieldType } from '../../../../schema/process'
import { freeId } from '../../document/items'

/** A line of the list of fields: the head of a group (null: the fields that no group names), or a field. */
export type Line = { group: string | null } | { field: string }

type Group = NonNullable<Form['groups']>[number]
type Fields = Form['fields']

export const FIELD_KEY = /^[a-z][A-Za-z0-9]{0,49}$/

/** Kinds of fields in the order in which they are offered: codes of the dictionary fieldType. */
export const FIELD_TYPES = [
  ...(['string', 'text', 'integer', 'decimal', 'money', 'percent', 'date', 'datetime', 'boolean'] as const),
  ...(['dict', 'ref', 'refs', 'staff', 'dept', 'files', 'file', 'rows', 'computed', 'richText', 'json'] as const),
] as const satisfies readonly FieldType[]

/** What a field of that kind is in the language. */
const WORDS: Readonly<Record<FieldType, Record<string, unknown>>> = {
  string: { type: 'string', maxLength: 200 },
  text: { type: 'string', format: 'text', maxLength: 4000 },
  richText: { type: 'string', format: 'richText' },
  integer: { type: 'integer' },
  decimal: { type: 'string', format: 'decimal' },
  money: { type: 'string', format: 'money', 'x-money': 'CNY' },
  percent: { type: 'string', format: 'percent' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
  dict: { type: 'string', 'x-dictionary': '' },
  ref: { type: 'string', 'x-ref': '' },
  refs: { type: 'array', items: { type: 'string' }, 'x-ref': '' },
  staff: { type: 'string', 'x-ref': 'sys.staff' },
  dept: { type: 'string', 'x-ref': 'sys.department' },
  file: { type: 'object', format: 'file' },
  files: { type: 'array', items: { type: 'object', format: 'file' }, maxItems: 20 },
  rows: { type: 'array', items: { type: 'object' }, rows: { fields: {} } },
  json: { type: 'object', format: 'json' },
  computed: { type: 'string', format: 'decimal', value: '{{ 0 }}' },
}
/** What stays when a field becomes one of another kind. */
const KEPT: ReadonlySet<string> = new Set(['x-label', 'x-help', 'visible', 'requiredIf', 'branchable'])

/** A new field of that kind. */
export const newField = (type: FieldType, label: BilingualText): FormField =>
  ({ ...WORDS[type], 'x-label': label }) as unknown as FormField

/** The field as one of another kind; what only the old kind had is gone. */
export const asType = (field: FormField, type: FieldType): FormField => {
  const kept = Object.fromEntries(Object.entries(field).filter(([word]) => KEPT.has(word)))
  return { ...WORDS[type], ...kept } as unknown as FormField
}

/** The kind of each field of a form, fields of rows by `rows.cell`. */
export const typesOf = (form: Form): ReadonlyMap<string, FieldType> =>
  new Map(fieldsOf({ form }).map(({ key, row, type }) => [row === undefined ? key : `${row}.${key}`, type]))

/** The form as a list, as one reads it: groups with their fields, then the fields that no group names. */
export const linesOf = (form: Form): Line[] => {
  const grouped = new Set((form.groups ?? []).flatMap(({ fields }) => fields))
  const rest = Object.keys(form.fields).filter((name) => !grouped.has(name))
  const groups = (form.groups ?? []).flatMap(({ id, fields }): Line[] => [
    { group: id },
    ...fields.filter((name) => Object.hasOwn(form.fields, name)).map((field) => ({ field })),
  ])
  return [
    ...groups,
    ...(rest.length === 0 ? [] : [...(groups.length > 0 ? [{ group: null }] : []), ...rest.map((field) => ({ field }))]),
  ]
}

/** The form with its fields in that order; a field stands in the group whose head it follows. */
export const withLines = (form: Form, lines: readonly Line[]): Form => {
  const members = new Map<string, string[]>()
  const order: string[] = []
  let current: string | null = null
  for (const line of lines) {
    if ('group' in line) current = line.group
    else {
      order.push(line.field)
      if (current !== null) members.set(current, [...(members.get(current) ?? []), line.field])
    }
  }
  const heads = lines.flatMap((line) => ('group' in line && line.group !== null ? [line.group] : []))
  const groups = heads.flatMap((id): Group[] => {
    const group = form.groups?.find((one) => one.id === id)
    return group ? [{ ...group, fields: members.get(id) ?? [] }] : []
  })
  const fields = Object.fromEntries(
    order.flatMap((name): [string, FormField][] => (form.fields[name] ? [[name, form.fields[name]]] : [])),
  )
  const { groups: _before, ...rest } = form
  return { ...rest, fields, ...(groups.length > 0 ? { groups } : {}) }
}

/** A line moved to another place of the list; the fields of a group move with its head. */
export const movedLine = (lines: readonly Line[], from: number, to: number): readonly Line[] => {
  const line = lines[from]
  if (!line || to < 0 || to >= lines.length || from === to || ('group' in line && line.group === null)) return lines
  if ('field' in line) return lines.toSpliced(from, 1).toSpliced(to, 0, line)
  const heads = lines.flatMap((one, index) => ('group' in one ? [index] : []))
  const end = heads.find((index) => index > from) ?? lines.length
  const block = lines.slice(from, end)
  const rest = lines.toSpliced(from, block.length)
  // a group stands before the head of another, never within it
  const target =
    to < from ? [...heads].reverse().find((index) => index <= to) : heads.find((index) => index > Math.max(to, end - 1))
  const at = target === undefined ? (to < from ? 0 : rest.length) : target > from ? target - block.length : target
  const last = rest.findIndex((one) => 'group' in one && one.group === null)
  return rest.toSpliced(last >= 0 ? Math.min(at, last) : at, 0, ...block)
}

/** With a field at the end of a group (null: of those that no group names). */
export const withField = (form: Form, key: string, field: FormField, group: string | null): Form => ({
  ...form,
  fields: { ...form.fields, [key]: field },
  ...(form.groups && group !== null
    ? { groups: form.groups.map((one) => (one.id === group ? { ...one, fields: [...one.fields, key] } : one)) }
    : {}),
})

export const withoutField = (form: Form, key: string): Form => {
  const { [key]: _gone, ...fields } = form.fields
  const { required, groups, ...rest } = form
  const needed = required?.filter((name) => name !== key)
  return {
    ...rest,
    fields,
    ...(needed && needed.length > 0 ? { required: needed } : {}),
    ...(groups ? { groups: groups.map((group) => ({ ...group, fields: group.fields.filter((name) => name !== key) })) } : {}),
  }
}

/** A copy of a field right behind it. */
export const withDuplicate = (form: Form, key: string): { form: Form; key: string } => {
  const field = form.fields[key]
  if (!field) return { form, key }
  const made = freeId(key, Object.keys(form.fields))
  const lines = linesOf(form)
  const at = lines.findIndex((line) => 'field' in line && line.field === key)
  const next = withLines({ ...form, fields: { ...form.fields, [made]: field } }, lines.toSpliced(at + 1, 0, { field: made }))
  return { form: next, key: made }
}

/** Fields that must be filled, with or without one. */
export const withRequired = <Part extends { required?: string[] }>(part: Part, key: string, needed: boolean): Part => {
  const { required, ...rest } = part
  const next = [...(required ?? []).filter((name) => name !== key), ...(needed ? [key] : [])]
  return (next.length > 0 ? { ...rest, required: next } : rest) as Part
}

/** The field at a path (`lines.quantity`: a cell of rows). */
export const fieldAt = (form: Form, path: string): FormField | undefined => {
  const [name = '', cell] = path.split('.')
  const field = form.fields[name]
  return cell === undefined ? field : field?.rows?.fields[cell]
}

/** With the field at a path changed. */
export const withFieldAt = (form: Form, path: string, field: FormField): Form => {
  const [name = '', cell] = path.split('.')
  const before = form.fields[name]
  if (!before) return form
  const next =
    cell === undefined ? field : { ...before, rows: { ...before.rows, fields: { ...before.rows?.fields, [cell]: field } } }
  return { ...form, fields: { ...form.fields, [name]: next } }
}

/** The address of the field at a path in a process. */
export const addressOfField = (path: string): string => {
  const [name = '', cell] = path.split('.')
  return cell === undefined ? `form/fields/${name}` : `form/fields/${name}/rows/fields/${cell}`
}

/** Takes fields of another form over, under their names; a name that is taken gets a free one. What they read of that form is checked where they go. */
export const withCopied = (form: Form, from: Form, names: readonly string[]): Form =>
  names.reduce((made, name) => {
    const field = from.fields[name]
    if (!field) return made
    const key = freeId(name, Object.keys(made.fields))
    const group = from.groups?.find(({ fields }) => fields.includes(name))
    const there = made.groups?.some(({ id }) => id === group?.id)
    const begun =
      group && !there && made.groups
        ? { ...made, groups: [...made.groups, { id: group.id, title: group.title, fields: [] }] }
        : made
    const next = withField(begun, key, field, group && begun.groups ? group.id : null)
    return from.required?.includes(name) ? withRequired(next, key, true) : next
  }, form)

/** With a group more, at the end of the groups. */
export const withGroup = (form: Form, title: BilingualText): { form: Form; id: string } => {
  const groups = form.groups ?? []
  const id = freeId(
    'group',
    groups.map((group) => group.id),
  )
  return { form: { ...form, groups: [...groups, { id, title, fields: [] }] }, id }
}

/** Without a group; its fields stay. */
export const withoutGroup = (form: Form, id: string): Form => {
  const groups = (form.groups ?? []).filter((group) => group.id !== id)
  const { groups: _before, ...rest } = form
  return groups.length > 0 ? { ...rest, groups } : rest
}

/** Fields of rows in another order. */
export const withCells = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name): [string, FormField][] => (fields[name] ? [[name, fields[name]]] : [])))
