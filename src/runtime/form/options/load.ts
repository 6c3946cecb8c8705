import type { FormModel, FormNodeModel } from '../../../schema/model'
import { loadPart } from '../../part/loadPart'
import type * as Part from './part'

let loaded: typeof Part | undefined

/** What keeps the options and the facts of a form; undefined until a form has loaded it. */
export const optionsPart = (): typeof loaded => loaded

export const loadOptionsPart = async (): Promise<void> => {
  loaded ??= await loadPart(() => import('./part'))
}

/** An expression of the form converts money. */
const CONVERTS = /\b(?:convert|exchangeRate)\(/

/** True when a form asks for options, facts or exchange rates while it is open. */
export const needsOptions = ({ facts, schema }: Pick<FormModel, 'facts' | 'schema'>): boolean =>
  facts !== undefined || hasOptions(schema) || CONVERTS.test(JSON.stringify(schema))

const hasOptions = (node: FormNodeModel | undefined): boolean =>
  node !== undefined &&
  (node['x-options'] !== undefined || hasOptions(node.items) || Object.values(node.properties ?? {}).some(hasOptions))
