import { explicitPage } from '../../../schema/explicit'
import type { EntityDocument } from '../../../schema/generated/entity'
import type { PageDocument } from '../../../schema/generated/page'
import type { BilingualText } from '../../../schema/problem'

export type NewPageKind = 'list' | 'detail' | 'form'

export interface NewPageTerms {
  kind: NewPageKind
  /** Second half of its name (module/file): letters, digits and hyphens. */
  name: string
  title: BilingualText
  path: string
  permission: string
}

/** The module that the page of an entity belongs to. */
export const moduleOf = (entity: string): string => entity.slice(0, entity.indexOf('.'))

/** A page of an entity from the template of its kind, with every column, filter and field written down. */
export const newPage = ({ kind, title, path, permission }: NewPageTerms, entity: EntityDocument): PageDocument => {
  const head = { formatVersion: 1 as const, path, title, permission, entity: entity.name }
  const page: PageDocument =
    kind === 'list'
      ? { ...head, kind }
      : kind === 'detail'
        ? { ...head, kind, detail: true }
        : { ...head, kind, schema: { type: 'object', properties: {} } }
  return explicitPage(page, { [entity.name]: entity })
}
