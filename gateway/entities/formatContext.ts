import type { FormatContext } from '../../src/schema/formats'
import type { RequestContext } from '../platform/http'
import type { Core } from './core'
import type { References } from './calls'

/** What formats need to know of a request: its language, the company's zone, labels of codes and titles of references. */
export function formatContext(core: Core, context: RequestContext, refs: References = {}): FormatContext {
  return {
    locale: context.locale,
    timeZone: core.registry.timeZone,
    dictionary: (name) => core.registry.dictionary(name)?.items,
    refTitle: (entity, id) => refs[entity]?.[id]?.title,
  }
}
