import { RequestError } from '../../src/headless/host'
import { parseQuery, type FilterValue } from '../../src/headless/list/query'
import { toQueryBody } from '../../src/headless/list/request'
import { askBlock } from '../../src/headless/report/ask'
import type { Group } from '../../src/headless/report/group'
import { shownBy } from '../../src/headless/report/shown'
import { searchOf, pathOf } from '../../src/headless/scope'
import { compilePage, type CompileBundle } from '../../src/schema/compile'
import type { ListModel, PageModel, ReportModel } from '../../src/schema/model'
import { fakeHost } from './fakeHost'
import type { Caller } from './gateway'

/** One row of a block: dimensions and measures by name; a number without a value is null. */
export type ReportRow = Record<string, string | number | null>

/** What a block of a report tells its reader. */
export interface ReportPart {
  /** He may not read what the block counts, or is told by. */
  closed: boolean
  rows: ReportRow[]
  groups: readonly Group[]
}

const REFUSED = 10010003

/** The gateway refuses what the block counts. */
const orClosed = (error: unknown): null => {
  if (error instanceof RequestError && error.code === REFUSED) return null
  throw error
}

const pageOf = async (caller: Caller, path: string): Promise<PageModel | null> => {
  const { code, data, msg } = await caller.get<CompileBundle>(`/v2/sys/page/bundle?path=${encodeURIComponent(path)}`)
  if (code === REFUSED) return null
  if (code !== 0) throw new Error(`${path}: ${msg}`)
  // his permissions are the gateway's business here: it answers or refuses what the page asks
  const result = compilePage(data, { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.model
}

/** Asks a report page as the portal does, block by block; null when its reader may not open it. */
export async function askReport(
  caller: Caller,
  path: string,
  filters: Readonly<Record<string, FilterValue>> = {},
): Promise<{
  parts: Readonly<Record<string, ReportPart>>
  leadsTo(measure: string, group: Group): Promise<number | null>
} | null> {
  const model = (await pageOf(caller, path)) as ReportModel | null
  if (!model) return null
  const host = fakeHost({
    answer: async ({ path: call, body }) => {
      const { code, msg, data } = await caller.post(call, body as object)
      if (code !== 0) throw new RequestError('business', msg, code, data)
      return data
    },
    overrides: { canOpen: () => true },
  })
  const parts: Record<string, ReportPart> = {}
  for (const block of model.blocks.filter(({ questions }) => questions)) {
    const told =
      block.closed === undefined
        ? await askBlock({ host, model, scope: {}, filters }, block, new AbortController().signal).catch(orClosed)
        : null
    const closed = told === null
    const groups = told?.groups ?? []
    parts[block.id] = { closed, groups, rows: groups.map((group) => rowOf(block, group)) }
  }
  const shown = shownBy(model, host, {}, filters)
  return {
    parts,
    leadsTo: async (measure, group) => {
      const address = shown.measureAddress(measure, group)
      return address === null ? null : totalAt(caller, address)
    },
  }
}

function rowOf({ dimensions, measures }: ReportModel['blocks'][number], group: Group): ReportRow {
  const numbers = measures.map((id) => {
    const [amount] = group.figures[id] ?? []
    return [id, amount === undefined ? null : Number(amount.value)] as const
  })
  return Object.fromEntries([...dimensions.map((id, index) => [id, group.keys[index] as string | null] as const), ...numbers])
}

/** How many rows the list at an address shows to the caller. */
async function totalAt(caller: Caller, address: string): Promise<number> {
  const { body } = (await pageOf(caller, pathOf(address))) as ListModel
  const query = parseQuery(body, searchOf(address), {})
  const { code, msg, data } = await caller.post<{ total: number }>(
    body.calls.query.path,
    toQueryBody(body, query, 1, { scope: {} }),
  )
  if (code !== 0) throw new Error(`${address}: ${msg}`)
  return data.total
}
