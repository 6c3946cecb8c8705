import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProps, type PropsSchema } from '../../../../src/runtime/widget/widget'
import type { Problem } from '../../../../src/schema'
import '../../../../src/schema/validate/process'
import { readDocuments, type SourceDocument, type ValidationContext } from '../../../../src/schema/validate'

const FIXTURES = join(import.meta.dirname, '../../../fixtures')

export const readFixture = <T>(name: string): T => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as T

/** A small portal without faults: an entity, a dictionary, a module, a form, a call, a widget, a service. */
export const world = readFixture<{ widgets: string[]; services: string[]; documents: SourceDocument[] }>('problems-base.json')

const GAUGE: PropsSchema = { type: 'object', properties: { max: { type: 'number' } }, required: ['max'] }

export const worldContext: ValidationContext = {
  widgets: new Set(world.widgets),
  services: new Map(world.services.map((name) => [name, []])),
  checkWidgetProps: (_widget, props) => checkProps(GAUGE, props),
}

/** What is wrong with these documents in the small portal; a document of the same file takes the other's place. */
export const problemsOf = (documents: readonly SourceDocument[]): readonly Problem[] => {
  const rest = world.documents.filter(({ where }) => !documents.some((document) => document.where === where))
  return readDocuments([...rest, ...documents], worldContext).problems
}

/** A value of the small portal to start from. */
export const valueOf = (where: string): Record<string, unknown> =>
  structuredClone(world.documents.find((document) => document.where === where)?.value) as Record<string, unknown>

export const pageAs = (value: unknown): SourceDocument => ({
  where: 'schemas/demo/pages/items.json',
  type: 'page',
  name: 'demo/items',
  value,
})
