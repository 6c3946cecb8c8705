import type { EntityDocument, EntityField } from '../generated/entity'
import type { FormField, ProcessDocument } from '../generated/process'
import { entityField } from './fields'
import { formFields } from './head'
import { tolerantly, tolerantText } from './tolerant'

/** Name of the entity that a process' form is: `form.recharge`. */
export const formEntityName = ({ name }: Pick<ProcessDocument, 'name'>): string => `form.${name}`

/** Name of the entity of the rows of one of its fields: `formrow.rechargeLines`. */
export const rowEntityName = ({ name }: Pick<ProcessDocument, 'name'>, field: string): string =>
  `formrow.${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`

/** Whether an entity is a form or rows of one: nothing of it is stored, so its records have no fields but its own. */
export const isFormEntity = ({ name }: Pick<EntityDocument, 'name'>): boolean => /^form(?:row)?\./.test(name)

/** The reference of a row to its form. */
const FORM_ID = 'formId'

/**
 * A form as an entity, so that it goes through the same compiler, checks and renderer as everything else: `form.<code>` with the fields of the
 * process and those of every form. Nothing of it is stored. Rows are lines of an entity of their own (`rowEntities`).
 */
export function formEntity(process: Pick<ProcessDocument, 'name' | 'label' | 'form'>): EntityDocument {
  const { name, label, form } = process
  const fields = Object.entries(formFields(form)).map(([key, field]): [string, EntityField] => [
    key,
    field.rows ? linesField(process, key, field) : entityField(field),
  ])
  return {
    formatVersion: 3,
    name: `form.${name}`,
    label,
    titleField: 'id',
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(form.required ? { required: form.required } : {}),
    ...(form.lookups ? { 'x-lookups': tolerantly(form.lookups) } : {}),
    ...(form.rules
      ? { 'x-rules': form.rules.map((rule) => ({ ...rule, when: tolerantText(rule.when), message: tolerantly(rule.message) })) }
      : {}),
  }
}

function linesField(process: Pick<ProcessDocument, 'name'>, key: string, field: FormField): EntityField {
  const { minItems: _least, items: _items, ...rest } = entityField(field)
  return { ...rest, 'x-lines': { entity: rowEntityName(process, key), parent: FORM_ID, saved: 'together' } }
}

/** The entities of the rows of a form, one for each field that has rows. */
export const rowEntities = (process: Pick<ProcessDocument, 'name' | 'label' | 'form'>): EntityDocument[] =>
  Object.entries(process.form.fields).flatMap(([key, field]): EntityDocument[] =>
    field.rows
      ? [
          {
            formatVersion: 3,
            name: rowEntityName(process, key),
            label: field['x-label'],
            titleField: 'id',
            type: 'object',
            properties: {
              ...Object.fromEntries(
                Object.entries(field.rows.fields).map(([name, cell]): [string, EntityField] => [name, entityField(cell)]),
              ),
              [FORM_ID]: {
                type: 'string',
                'x-ref': formEntityName(process),
                'x-internal': true,
                'x-label': { zh: '表单', en: 'Form' },
              },
            },
            ...(field.rows.required ? { required: field.rows.required } : {}),
            'x-scope': { parent: FORM_ID, line: true },
          },
        ]
      : [],
  )
