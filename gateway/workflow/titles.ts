import type { EntityEngine } from '../entities'
import type { RequestContext, Text } from '../platform/http'

/** Whether somebody reads what applications are called: titles and summaries repeat names of customers, which rules of roles may keep back. */
export const readsTitles = (engine: Pick<EntityEngine, 'readable'>, context: RequestContext): boolean =>
  engine.readable(context, 'wf.instance.titleZh')

/** What an application is called for whoever may not read its title: as `process` says, with the alias of its customer where he may read that. */
export const titleByAlias = (
  engine: Pick<EntityEngine, 'readable'>,
  context: RequestContext,
  process: Text,
  alias: string | null,
): Text =>
  alias !== null && engine.readable(context, 'wf.instance.customerAlias')
    ? { zh: `${process.zh} · ${alias}`, en: `${process.en} · ${alias}` }
    : process
