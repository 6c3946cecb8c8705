import type { ProcessDocument } from '../../../src/schema/generated/process'
import {
  formEntity,
  formPage,
  namedFields,
  rightsOf,
  rowEntities,
  type FormPageOptions,
  type Rights,
} from '../../../src/schema/process'
import { makeBundle, type PageBundle } from '../../pages'
import { can, type RequestContext } from '../../platform/http'
import type { WorkflowParts } from '../parts'

/**
 * What somebody may do with the fields of a form at a node (null: who looks on). A field behind a key that he does not hold is hidden from
 * him, e.g. costs and margins without `qm:cost:view` (money 8.15).
 */
export function rightsFor(
  context: RequestContext,
  process: Pick<ProcessDocument, 'form' | 'nodes'>,
  nodeId: string | null,
): Rights {
  const rights: Record<string, Rights[string]> = { ...rightsOf(process, nodeId) }
  for (const [name, field] of namedFields(process)) {
    const key = field['x-sensitive']
    if (typeof key === 'string' && !can(context, key)) rights[name] = 'H'
  }
  return rights
}

/**
 * A form with the rights of somebody, as the bundle call answers pages: the portal compiles and draws it like any other. Fields of the
 * records that it refers to keep the caller's field rules.
 */
export function formBundle(
  { schemas, engine }: Pick<WorkflowParts, 'schemas' | 'engine'>,
  context: RequestContext,
  process: ProcessDocument,
  rights: Rights,
  options: FormPageOptions = {},
): PageBundle {
  const made = new Map([formEntity(process), ...rowEntities(process)].map((entity) => [entity.name, entity]))
  const bundle = makeBundle(formPage(process, rights, options), `processes/${process.name}`, {
    lists: schemas.lists,
    entity: (name) => made.get(name) ?? schemas.entity(name),
    dictionary: (name) => schemas.dictionary(name),
  })
  const rules = engine.fieldRules(
    { has: (key) => can(context, key), fieldRules: context.fieldRules },
    Object.keys(bundle.entities).filter((name) => !made.has(name)),
  )
  return Object.keys(rules).length === 0 ? bundle : { ...bundle, fieldRules: rules }
}
