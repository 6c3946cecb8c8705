import type { Host, PageBundle } from '../../../headless/host'
import type { FormNodeModel } from '../../../schema/model'
import { formFields, type FormField } from '../parts/fields'
import type { Values } from '../parts/types'

/** What an address says beside the values of fields. */
const ABOUT_THE_PAGE = new Set(['code', 'processId', 'instanceId', 'copyFrom', 'tagTitle', 'id'])

/** What is wrong with an address: a name that the form does not have, or a record that is not there for this person. */
export type Refusal = { type: 'name'; name: string } | { type: 'record'; label: string }

export interface Prefill {
  values: Values
  refusals: readonly Refusal[]
}

const valueOf = (text: string, { node, field }: FormField): unknown => {
  if (node.type === 'array' || field?.kind === 'refs') return text.split(',').filter((one) => one !== '')
  if (node.type === 'boolean') return text === 'true' || text === '1'
  if (node.type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined
  return text
}

/** Columns of a table of the form by their names. */
const columnsOf = (node: FormNodeModel): Readonly<Record<string, FormNodeModel>> => node.items?.properties ?? {}

const areThere = async (host: Host, path: string, ids: readonly string[], signal: AbortSignal): Promise<boolean> => {
  const found = await host.request<readonly { id: string }[]>({
    method: 'POST',
    path: `${path}/select`,
    body: { ids, pageSize: ids.length },
    signal,
  })
  return ids.every((id) => found.some((one) => one.id === id))
}

/**
 * The values of the form that an address names, e.g. `customerId`. A name without a field and a record that this person may not
 * see are refused, never left out in silence (money 8.0).
 */
export const prefillOf = async (
  host: Host,
  bundle: PageBundle,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Prefill> => {
  const fields = formFields(bundle, host)
  const values: Record<string, unknown> = {}
  const refusals: Refusal[] = []
  for (const [name, text] of Object.entries(query)) {
    if (ABOUT_THE_PAGE.has(name) || text === '') continue
    const known = fields[name]
    // a column of the form's lines: a line each
    const table = known ? undefined : Object.entries(fields).find(([, { node }]) => columnsOf(node)[name])
    if (table) {
      const [lines, { node }] = table
      const column = columnsOf(node)[name]
      const reference = column?.['x-field']?.ref
      const ids = text.split(',').filter((one) => one !== '')
      if (reference && !(await areThere(host, reference.path, ids, signal))) {
        refusals.push({ type: 'record', label: column['x-field']?.label ?? name })
        continue
      }
      values[lines] = ids.map((id) => ({ [name]: id }))
      continue
    }
    const value = known && valueOf(text, known)
    if (!known || value === undefined) {
      refusals.push({ type: 'name', name })
      continue
    }
    const reference = known.field?.ref
    if (reference && !(await areThere(host, reference.path, [value].flat().map(String), signal))) {
      refusals.push({ type: 'record', label: known.field?.label ?? name })
      continue
    }
    values[name] = value
  }
  return { values, refusals }
}
