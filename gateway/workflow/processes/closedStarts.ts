import type { ProcessDocument } from '../../../src/schema/generated/process'
import type { LiveSchemas, PageBundle } from '../../pages'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { mayStart } from './mayStart'

/** Page on which any process is started. */
export const SUBMIT = '/general/process/sponsor/submit'

/** An action of a page that leads to where applications are made. */
const STARTS = /"open":"\/general\/process\/[^"]*\/(?:apply|submit)["?{]/

const known = new WeakMap<object, boolean>()

function starts({ page, entities }: Pick<PageBundle, 'page' | 'entities'>): boolean {
  const said = known.get(page)
  if (said !== undefined) return said
  const found = STARTS.test(JSON.stringify([page, entities]))
  known.set(page, found)
  return found
}

/**
 * Addresses that start a process which is switched off, or which the caller may not start: a page offers him no action that leads there. Empty for a
 * page without such actions.
 */
export async function closedStarts(
  parts: { db: Executor; schemas: Pick<LiveSchemas, 'page'> },
  context: RequestContext,
  bundle: Pick<PageBundle, 'page' | 'entities'>,
): Promise<readonly string[]> {
  if (!starts(bundle)) return []
  const { rows } = await parts.db.query<{
    id: string
    code: string
    path: string | null
    state: string
    startScope: ProcessDocument['startScope'] | null
  }>(
    `select id, code, path, state, start_scope as "startScope" from wf_process
     where deleted_at is null and current_version_id is not null order by code`,
  )
  const closed: string[] = []
  for (const { id, code, path, state, startScope } of rows) {
    const startable = { ...(path === null ? {} : { path }), ...(startScope ? { startScope } : {}) }
    if (state === 'enabled' && (await mayStart(parts, context, startable))) continue
    closed.push(`${SUBMIT}?code=${code}`, `${SUBMIT}?processId=${id}`, ...(path === null ? [] : [path]))
  }
  return closed
}
