import { allFields } from './entity/fields'
import { explicitPage } from './explicit'
import type { EntityDocument, EntityField } from './generated/entity'
import type { FormNode, FormPage } from './generated/page'
import type { BilingualText } from './problem'

/** What somebody who fills in a form has to know of one of its values. */
export interface FormValue {
  label: BilingualText
  required: boolean
  editable: boolean
}
/** By the path of the value, e.g. `name` or `contact.phone`. */
export type FormValues = Readonly<Record<string, FormValue>>

interface FormParts {
  page: FormPage
  entities: Readonly<Record<string, EntityDocument | undefined>>
  /** Rules of the viewer by `entity.field`. */
  fieldRules?: Readonly<Record<string, string>>
}

/** The values that a form takes, with what a revision of it may change about them. Rows of tables are one value. */
export function formValues({ page, entities, fieldRules = {} }: FormParts): FormValues {
  const explicit = explicitPage(page, entities) as FormPage
  const found: Record<string, FormValue> = {}
  const walk = (node: FormNode, path: readonly string[]): void => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const isVoid = child.type === 'void'
      const here = isVoid ? path : [...path, name]
      const known = fieldOf(child, name, path, page, entities)
      const rule = known && fieldRules[`${known.entity.name}.${known.name}`]
      if (known?.field['x-retired'] || rule === 'hide') continue
      if (!isVoid && !child.properties)
        found[here.join('.')] = {
          label: labelOf(child, known?.field, name),
          required: isRequired(child, known),
          editable: rule === undefined && known?.field.readOnly !== true && !LOCKED.has(child['x-pattern'] ?? ''),
        }
      walk(child, here)
    }
  }
  walk(explicit.schema, [])
  return found
}

const LOCKED: ReadonlySet<string> = new Set(['disabled', 'readOnly', 'readPretty'])

interface KnownField {
  entity: EntityDocument
  name: string
  field: EntityField
}

function fieldOf(
  node: FormNode,
  name: string,
  path: readonly string[],
  page: FormPage,
  entities: FormParts['entities'],
): KnownField | undefined {
  const dot = node.$field?.lastIndexOf('.') ?? -1
  const [owner, own] = node.$field === undefined ? [page.entity, name] : [node.$field.slice(0, dot), node.$field.slice(dot + 1)]
  const entity = owner === undefined || (node.$field === undefined && path.length > 0) ? undefined : entities[owner]
  const field = entity && allFields(entity).find((one) => one.name === own)?.field
  return entity && field ? { entity, name: own, field } : undefined
}

function labelOf(node: FormNode, field: EntityField | undefined, name: string): BilingualText {
  if (typeof node.title === 'object') return node.title
  return field?.['x-label'] ?? { zh: name, en: name }
}

function isRequired(node: FormNode, known: KnownField | undefined): boolean {
  if (node.required !== undefined) return node.required === true
  return known !== undefined && known.field.readOnly !== true && (known.entity.required ?? []).includes(known.name)
}

export interface FormChange {
  field: string
  kind: 'removed' | 'required' | 'locked'
  label: BilingualText
}

const WORDS: Readonly<Record<FormChange['kind'], (label: string) => BilingualText>> = {
  removed: (label) => ({ zh: `“${label}”已不在表单上`, en: `"${label}" is no longer on the form` }),
  required: (label) => ({ zh: `“${label}”变为必填`, en: `"${label}" is required now` }),
  locked: (label) => ({ zh: `“${label}”不能再填写`, en: `"${label}" can no longer be filled in` }),
}

/** The change as part of a sentence. */
export const formChangeText = ({ kind, label }: FormChange): BilingualText => ({
  zh: WORDS[kind](label.zh).zh,
  en: WORDS[kind](label.en).en,
})

/**
 * What has changed of a form so that what was typed into the earlier revision cannot simply be sent: a value that was given
 * has no place any more or may not be written, or one that is missing has become required. Everything else does not matter.
 */
export function changesThatMatter(
  before: FormValues,
  now: FormValues,
  body: Readonly<Record<string, unknown>>,
  isNew: boolean,
): FormChange[] {
  const given = (path: string): unknown => path.split('.').reduce<unknown>(memberOf, body)
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((field): FormChange[] => {
    const [was, is, value] = [before[field], now[field], given(field)]
    const filled = !isEmpty(value)
    if (was && !is) return filled ? [{ field, kind: 'removed', label: was.label }] : []
    if (!is) return []
    if (was?.editable && !is.editable && filled) return [{ field, kind: 'locked', label: is.label }]
    // A change of a record leaves out what nobody touched.
    const missing = !filled && (isNew || value !== undefined)
    return is.required && is.editable && !was?.required && missing ? [{ field, kind: 'required', label: is.label }] : []
  })
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
