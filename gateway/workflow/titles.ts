import type { EntityEngine } from '../entities'
import type { RequestContext } from '../platform/http'

/** Whether somebody reads what applications are called: titles and summaries repeat names of customers, which rules of roles may keep back. */
export const readsTitles = (engine: Pick<EntityEngine, 'readable'>, context: RequestContext): boolean =>
  engine.readable(context, 'wf.instance.titleZh')
