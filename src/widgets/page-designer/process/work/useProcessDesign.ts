import { useMemo } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import type { ProcessDocument } from '../../../../schema/generated/process'
import type { JsonObject } from '../../../../schema/overlay'
import { formEntity, formEntityName, rowEntities } from '../../../../schema/process'
import { withValue } from '../../document/address'
import type { Design } from '../../editor/design'
import { Labels } from '../../language/labels'
import { Language } from '../../language/meta'
import type { Catalogue } from '../types'

const LANGUAGE = new Language('process', null)

/**
 * What the controls of the page designer read around a process: its form as an entity, all entities, dictionaries and roles. The form
 * answers to the name of the process as well, so that a bare name in its expressions is one of its fields.
 */
export const useProcessDesign = (
  catalogue: Catalogue,
  process: ProcessDocument,
  edit: (document: JsonObject, key?: string | null) => void,
): Design => {
  const { locale } = useHost()
  const { name, label, form } = process
  const known = useMemo(() => Object.fromEntries(catalogue.entities.map((entity) => [entity.name, entity])), [catalogue])
  const dictionaries = useMemo(
    () => Object.fromEntries(catalogue.dictionaries.map((dictionary) => [dictionary.name, dictionary])),
    [catalogue],
  )
  const entities = useMemo(() => {
    const own = formEntity({ name, label, form })
    const rows = rowEntities({ name, label, form }).map((entity) => [entity.name, entity] as const)
    return { ...known, ...Object.fromEntries(rows), [formEntityName({ name })]: own, [name]: own }
  }, [known, name, label, form])
  const document = process as unknown as JsonObject
  const labels = useMemo(() => new Labels(document, entities, locale), [document, entities, locale])
  return useMemo(
    (): Design => ({
      language: LANGUAGE,
      entities: catalogue.entities,
      dictionaries,
      permissions: catalogue.permissions,
      roles: catalogue.portalRoles,
      verbs: catalogue.verbs,
      dictionaryNames: catalogue.dictionaries,
      base: null,
      edit,
      change: (at, value) => edit(withValue(document, at, value), at),
      document,
      labels,
    }),
    [catalogue, dictionaries, edit, document, labels],
  )
}
