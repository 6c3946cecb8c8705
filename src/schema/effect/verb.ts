import type { BilingualText } from '../problem'
import type { PropsSchema } from '../props'

/**
 * What an effect can do: to the gateway what a widget is to the portal. Its definition is the single source of what stands in `with`:
 * of the check, the documentation and the designer's control. The gateway registers what it does under the same name.
 */
export interface VerbDefinition {
  /** `set`, or module.verb for one of a module. */
  name: string
  label: BilingualText
  description: BilingualText
  /** What `with` holds. A value may be an expression wherever the schema takes a text or says nothing of its type. */
  with: PropsSchema
  /** Whether it is done to the records of `on`: it has to be, it can be, or it cannot. */
  on: 'needed' | 'possible' | 'never'
  /** `with` of an example, for the documentation. */
  example: Readonly<Record<string, unknown>>
}

/** Describes a verb once. */
export const defineVerb = <const V extends VerbDefinition>(definition: V): V => Object.freeze(definition)
