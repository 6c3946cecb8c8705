import { ENGINE_VERBS } from '../../../schema/effect/verbs'
import type { VerbDefinition } from '../../../schema/effect/verb'

/** A verb that every entity has; those of modules are known to the gateway alone. */
export const verbOf = (name: string): VerbDefinition | undefined => ENGINE_VERBS.find((verb) => verb.name === name)
