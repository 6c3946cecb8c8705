import { showPlain } from '../../../runtime/cell'
import type { Host, PageBundle } from '../../../headless/host'
import { compileLoaded } from '../../../runtime/page/compileLoaded'
import type { CompileResult } from '../../../schema/compile'
import type { FormNodeModel, PageField } from '../../../schema/model'

/** A field of a form as it is drawn, with what it is of the entity. */
export interface FormField {
  node: FormNodeModel
  field?: PageField
}

const fieldsIn = (node: FormNodeModel): Record<string, FormField> => {
  const found: Record<string, FormField> = {}
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    if (child.type === 'void') Object.assign(found, fieldsIn(child))
    else found[name] = { node: child, ...(child['x-field'] ? { field: child['x-field'] } : {}) }
  }
  return found
}

const compiled = new WeakMap<PageBundle, { host: Host; result: CompileResult }>()

/**
 * The form of an application as the gateway sent it, compiled once for everything that shows it. What a step may do with the fields stands in
 * the document: one revision has many forms, so it is remembered by the document.
 */
export const compileForm = (bundle: PageBundle, host: Host): CompileResult => {
  const known = compiled.get(bundle)
  if (known?.host === host) return known.result
  const result = compileLoaded(bundle, host, true)
  compiled.set(bundle, { host, result })
  return result
}

/** The fields of an application's form by their keys; none where the form cannot be compiled, which its drawing says. */
export const formFields = (bundle: PageBundle, host: Host): Readonly<Record<string, FormField>> => {
  const result = compileForm(bundle, host)
  return result.ok && result.model.kind === 'form' ? fieldsIn(result.model.schema) : {}
}

/** The value of a field in words; a dash for nothing. Titles of records by id, as far as they are known. */
export const valueText = (
  host: Host,
  field: PageField | undefined,
  value: unknown,
  values: Readonly<Record<string, unknown>>,
  titles: ReadonlyMap<string, string>,
): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (field?.ref)
    return [value]
      .flat()
      .map((id) => titles.get(String(id)) ?? '…')
      .join(host.locale === 'zh' ? '、' : ', ')
  if (field) return showPlain(field, value, host, { id: '', ...values }) || '—'
  if (Array.isArray(value))
    return host.locale === 'zh' ? `${value.length}行` : value.length === 1 ? '1 row' : `${value.length} rows`
  return typeof value === 'object' ? '…' : String(value)
}
