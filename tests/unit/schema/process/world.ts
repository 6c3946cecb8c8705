import type { CompileBundle } from '../../../../src/schema'
import type { DictionaryDocument } from '../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import { compilePage } from '../../../../src/schema'
import type { FormModel, FormNodeModel } from '../../../../src/schema/model'
import { formEntity, formPage, rowEntities, type FormPageOptions, type Rights } from '../../../../src/schema/process'
import { readFixture, world } from '../validate/world'

/** A process over the small portal: conditions, rows, look-ups, values that follow. */
export const limit = (): ProcessDocument => readFixture<ProcessDocument>('processes/limit.json')

const text = (zh: string, en: string) => ({ zh, en })
const urgency: DictionaryDocument = {
  formatVersion: 3,
  name: 'urgency',
  label: text('紧急程度', 'Urgency'),
  items: [
    { code: 'normal', label: text('普通', 'Normal') },
    { code: 'urgent', label: text('紧急', 'Urgent') },
  ],
}
const staff: EntityDocument = {
  formatVersion: 3,
  name: 'sys.staff',
  label: text('员工', 'Staff'),
  titleField: 'name',
  type: 'object',
  properties: { name: { type: 'string', 'x-label': text('姓名', 'Name') } },
}

const of = <T extends { name: string }>(type: string): Record<string, T> =>
  Object.fromEntries(
    world.documents.flatMap((document) => {
      const value = document.value as T
      return document.type === type ? [[value.name, value] as const] : []
    }),
  )

let revision = 0

/** What draws the form of a process with these rights. */
export const bundleOf = (process: ProcessDocument, rights: Rights, options?: FormPageOptions): CompileBundle => ({
  page: formPage(process, rights, options),
  where: `process:${process.name}`,
  revision: `process-${(revision += 1)}`,
  entities: {
    ...of<EntityDocument>('entity'),
    'sys.staff': staff,
    ...Object.fromEntries([formEntity(process), ...rowEntities(process)].map((entity) => [entity.name, entity])),
  },
  dictionaries: { ...of<DictionaryDocument>('dictionary'), urgency },
})

/** Compiles the form and expects a model without problems. */
export const modelOf = (process: ProcessDocument, rights: Rights, options?: FormPageOptions): FormModel => {
  const result = compilePage(bundleOf(process, rights, options), {
    locale: 'en',
    permissions: { has: () => true },
    companyTimeZone: 'Asia/Shanghai',
  })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  if (result.model.kind !== 'form') throw new Error(result.model.kind)
  if (result.model.problems.length > 0) throw new Error(JSON.stringify(result.model.problems))
  return result.model
}

/** The nodes of a form that hold values, by their path: rows as `lines`, their cells as `lines.billId`. */
export const valuesIn = (node: FormNodeModel, path = ''): Record<string, FormNodeModel> =>
  Object.fromEntries(
    Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
      if (child.type === 'void') return Object.entries(valuesIn(child, path))
      const here = path === '' ? name : `${path}.${name}`
      return [[here, child] as const, ...Object.entries(child.items ? valuesIn(child.items, here) : {})]
    }),
  )
