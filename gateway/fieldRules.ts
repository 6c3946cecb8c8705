import type { EntityEngine } from './entities'

/** Somebody, or a role: the keys that are held, and the rules as they were written. */
interface Holder {
  permissions: ReadonlySet<string>
  fieldRules: Readonly<Record<string, string>>
}

/** The rules with what follows from them: fields behind a key that is not held, and what is computed of restricted fields. */
export const fieldRulesOf = (engine: EntityEngine, holder: Holder, entities: Iterable<string> = engine.names()) =>
  engine.fieldRules({ has: (key) => holder.permissions.has(key), fieldRules: holder.fieldRules }, entities)
