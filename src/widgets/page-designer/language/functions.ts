import { FUNCTIONS } from '../../../schema/expression'
import { DOCUMENTED } from '../../../schema/expression/documented'
import type { Locale } from '../../../schema/problem'

/** A function of expressions in the words of a reader. */
export interface FunctionHelp {
  name: string
  signature: string
  summary: string
  /** "sum([1, 2]) → 3" */
  example: string
}

/** All functions that expressions can call, by what they work on. */
export const functionHelp = (locale: Locale): readonly FunctionHelp[] =>
  [...FUNCTIONS.values()].flatMap(({ name, signature }) => {
    const documented = DOCUMENTED[name]
    if (!documented) return []
    const [first] = documented.examples
    const example = first ? `${first.expression} → ${JSON.stringify(first.result)}` : ''
    return [{ name, signature, summary: documented.summary[locale], example }]
  })
