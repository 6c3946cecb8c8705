import { Schema } from '@formily/json-schema'
import { createFormilyCompiler, DEFAULT_ENVIRONMENT } from '../../../schema/expression'
import type { Environment } from '../../../schema/expression'

type Report = (error: unknown, expression: string) => void

let current: Environment = DEFAULT_ENVIRONMENT
let report: Report = () => {}

// Formily has one compiler for all forms. It is ours from the moment this module is loaded, so that Formily's own
// (`new Function`) is never reached. A failing expression answers undefined: "leave it as it is".
Schema.registerCompiler(
  createFormilyCompiler(() => current, {
    onError: (error, expression) => {
      report(error, expression)
      return undefined
    },
  }),
)

/** Sets language, time zone and permissions of the expressions of all forms, and who hears of failing ones. */
export const setEnvironment = (environment: Environment, onFailure: Report): void => {
  current = environment
  report = onFailure
}
