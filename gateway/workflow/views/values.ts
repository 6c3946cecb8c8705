import { formFields, rightsOf } from '../../../src/schema/process'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import type { EntityRecord } from '../../entities'
import { can, type RequestContext } from '../../platform/http'

type Fields = Readonly<Record<string, { 'x-sensitive'?: string; rows?: { fields: Fields } }>>

const isRow = (value: unknown): value is EntityRecord => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an onlooker may read of a form: nothing that is hidden from everybody who decides, nothing behind a key that he lacks. */
export function valuesForOnlooker(process: ProcessDocument, values: EntityRecord, context: RequestContext): EntityRecord {
  const rights = rightsOf(process, null)
  const open = (fields: Fields, given: EntityRecord, prefix: string): EntityRecord =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => {
        const field = fields[name]
        if (!field || rights[`${prefix}${name}`] === 'H') return []
        if (field['x-sensitive'] !== undefined && !can(context, field['x-sensitive'])) return []
        if (!field.rows || !Array.isArray(value)) return [[name, value]]
        const { fields: inner } = field.rows
        return [[name, value.filter(isRow).map((row) => open(inner, row, `${name}.`))]]
      }),
    )
  return open(formFields(process.form) as Fields, values, '')
}
