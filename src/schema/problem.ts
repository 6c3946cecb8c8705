/** A text in both interface languages (R012). */
export interface BilingualText {
  zh: string
  en: string
}

/** The two interface languages (R012). */
export type Locale = 'zh' | 'en'

/** Everything the validator can find; docs/problems.md explains each, tests hold a bad fixture for each. */
export type ProblemCode =
  | 'malformed-json'
  | 'too-large'
  | 'invalid-shape'
  | 'unsupported-format-version'
  | 'unknown-entity'
  | 'unknown-field'
  | 'unknown-dictionary'
  | 'unknown-widget'
  | 'invalid-widget-props'
  | 'unknown-route'
  | 'unknown-call'
  | 'call-writes'
  | 'unknown-permission'
  | 'unknown-page'
  | 'unknown-view'
  | 'unknown-transition'
  | 'unknown-action'
  | 'unknown-state'
  | 'unknown-control'
  | 'unknown-service'
  | 'unknown-verb'
  | 'unknown-rules'
  | 'unknown-template'
  | 'missing-module'
  | 'duplicate-id'
  | 'missing-translation'
  | 'hidden-required-without-default'
  | 'linkage-cycle'
  | 'computed-cycle'
  | 'effect-cycle'
  | 'linkage-fan-out'
  | 'cost-budget'
  | 'expression-syntax'
  | 'expression-root'
  | 'expression-function'
  | 'forbidden-code'
  | 'ambiguous-action'
  | 'invalid-pattern'
  | 'path-conflict'
  | 'restated-state'
  | 'missing-charge'
  | 'field-kind-mismatch'
  | 'process-structure'
  | 'assignee-incomplete'
  | 'own-approval'
  | 'unknown-process'
  | 'process-cycle'

/** One thing that is wrong with a schema document: what, where, why, and what was probably meant. */
export interface Problem {
  code: ProblemCode
  severity: 'error' | 'warning'
  /** File of the schema, or page:/path, entity:name of a stored document. */
  where: string
  /** JSON pointer into the document, e.g. /columns/3/field. */
  at: string
  /** The offending value, shortened. */
  value?: unknown
  message: BilingualText
  /** "Did you mean": the closest known name. */
  hint?: string
  /** The other document, where two of them claim the same. */
  other?: string
}
