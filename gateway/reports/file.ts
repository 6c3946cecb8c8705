import type { Writable } from 'node:stream'
import { compilePage } from '../../src/schema/compile'
import { Exact, exactText, ready, toExact } from '../../src/schema/formats'
import type { ReportBlockModel, ReportModel } from '../../src/schema/model'
import { filterText } from '../../src/headless/list/describe'
import { listTexts } from '../../src/headless/list/texts'
import { RequestError, type Host, type HostRequest } from '../../src/headless/host'
import { askBlock, type Told } from '../../src/headless/report/ask'
import { readFilters, type ReportFilters } from '../../src/headless/report/filters'
import type { Amount, Group } from '../../src/headless/report/group'
import { shownBy, type Shown } from '../../src/headless/report/shown'
import { reportTexts } from '../../src/headless/report/texts'
import { pageScope } from '../../src/headless/scope'
import { Output, sheetName, XlsxWriter, type EntityEngine, type SheetCell } from '../entities'
import type { AdaptPage, SchemaRegistry } from '../pages'
import { can, ServiceError, type RequestContext } from '../platform/http'

/** A report with its filters, as an address says them: `/reportAnalysis/sms/report` and `f.day=…`. */
export interface ReportRequest {
  path: string
  search: string
}

/** Takes orders for files of reports; `name` is what the file is called instead of its title. */
export interface ReportTasks {
  startReport(context: RequestContext, request: ReportRequest, name?: string): Promise<{ taskId: string }>
}

export interface ReportFileParts {
  schemas: SchemaRegistry
  engine: EntityEngine
  adapt: AdaptPage
  fieldRules(context: RequestContext, entities: readonly string[]): Readonly<Record<string, string>>
  /** IANA name of the zone in which days are counted. */
  timeZone: string
}

/** What a file is made from: the report as its reader gets it, and how it asks and speaks. */
interface Opened {
  model: ReportModel
  host: Pick<Host, 'request' | 'locale' | 'timeZone' | 'companyTimeZone' | 'canOpen' | 'user' | 'now'>
  scope: ReturnType<typeof pageScope>
  filters: ReportFilters
  shown: Shown
}

interface Sheet {
  name: string
  titles: readonly string[]
  rows: readonly (readonly SheetCell[])[]
}

const WORDS = {
  zh: {
    about: '说明',
    report: '报表',
    filter: '筛选',
    made: '生成时间',
    zone: '时区',
    by: '生成人',
    figure: '指标',
    value: '数值',
  },
  en: {
    about: 'About',
    report: 'Report',
    filter: 'Filter',
    made: 'Made',
    zone: 'Time zone',
    by: 'For',
    figure: 'Figure',
    value: 'Value',
  },
} as const

const text = (value: string): SheetCell => ({ type: 'text', value })
const EMPTY: SheetCell = { type: 'empty' }
const HUNDRED = new Exact(100)

/**
 * Reports as workbooks: a sheet about the report (filters, zone, moment), then one a block with the numbers that its reader would see on the page at this moment, by his rights and
 * in his language.
 */
export class ReportFiles {
  constructor(private readonly parts: ReportFileParts) {}

  /** The title of a report and the entities that it counts, the first of them apart. @throws ServiceError when there is none at the path, or it is closed to the reader. */
  async about(context: RequestContext, { path }: ReportRequest): Promise<{ title: string; entity: string; entities: string[] }> {
    const model = await this.modelOf(context, path)
    const entities = model.blocks.flatMap(({ questions }) => (questions ?? []).map(({ entity }) => entity))
    return { title: model.title, entity: entities[0] ?? '', entities }
  }

  /** Writes the workbook and ends the stream; answers how many rows its blocks have. */
  async write(stream: Writable, context: RequestContext, request: ReportRequest, signal: AbortSignal): Promise<{ rows: number }> {
    const opened = await this.open(context, request)
    const { model } = opened
    if (model.dimensions.some(({ format, field }) => format === 'country' || field?.kind === 'country')) await ready('country')
    const sheets = [await this.aboutSheet(opened, context)]
    for (const block of model.blocks)
      if (block.questions && block.closed === undefined) sheets.push(await blockSheet(opened, block, signal))
    const output = new Output(stream)
    const names = uniqueNames(sheets.map(({ name }) => name))
    const [first, ...others] = sheets.map((sheet, index) => ({ ...sheet, name: names[index]! }))
    const writer = new XlsxWriter(output, { name: first!.name, widths: [24, 60] })
    await writer.start(first!.titles)
    await writer.rows(first!.rows)
    for (const { name, titles, rows } of others) {
      await writer.sheet({ name, widths: titles.map(() => 20) }, titles)
      await writer.rows(rows)
    }
    await writer.finish()
    await output.end()
    return { rows: others.reduce((sum, { rows }) => sum + rows.length, 0) }
  }

  /** The report as this reader gets it. */
  private async modelOf(context: RequestContext, path: string): Promise<ReportModel> {
    const { adapt, fieldRules, timeZone } = this.parts
    const schemas = this.parts.schemas.snapshot(false)
    const page = schemas.page(path)
    if (page?.document.kind !== 'report') throw new ServiceError('notFound', { message: noReport(path) })
    const { permission } = page.document
    if (permission !== undefined && !can(context, permission)) throw new ServiceError('noPermission', { data: { permission } })
    const bundle = schemas.bundle(page, new Set(context.user.roleCodes))
    const adapted = await adapt(bundle.page, context)
    const result = compilePage(
      { ...bundle, ...(adapted ? { page: adapted.page() } : {}), fieldRules: fieldRules(context, Object.keys(bundle.entities)) },
      { locale: context.locale, permissions: { has: (key) => can(context, key) }, companyTimeZone: timeZone },
    )
    if (!result.ok || result.model.kind !== 'report') throw new ServiceError('notFound', { message: noReport(path) })
    return result.model
  }

  private async open(context: RequestContext, { path, search }: ReportRequest): Promise<Opened> {
    const model = await this.modelOf(context, path)
    const host = this.hostFor(context)
    const scope = pageScope(host, `?${search}`)
    const filters = readFilters(model, search, scope)
    return { model, host, scope, filters, shown: shownBy(model, host, scope, filters) }
  }

  /** The reader's way to the gateway, without a browser: reports only count, and look names up. */
  private hostFor(context: RequestContext): Opened['host'] {
    const { engine, timeZone } = this.parts
    const { user, locale, now } = context
    const entityAt = (path: string): string | undefined => engine.names().find((name) => engine.model(name).path === path)
    const answer = async ({ path, body }: HostRequest): Promise<unknown> => {
      const [, base = '', call] = /^(.*)\/(aggregate|select)$/.exec(path) ?? []
      const entity = entityAt(base)
      if (entity === undefined) throw new Error(`A report asks for ${path}, which is no call of an entity.`)
      const asked: unknown = structuredClone(body)
      return call === 'select'
        ? engine.select(entity, context, asked as Parameters<EntityEngine['select']>[2])
        : engine.aggregate(entity, context, asked as Parameters<EntityEngine['aggregate']>[2])
    }
    return {
      ...{ locale, timeZone, companyTimeZone: timeZone, canOpen: () => false, now: () => now },
      user: {
        ...{ userId: user.userId, staffId: user.staffId, name: user.name, jobNumber: user.jobNumber },
        ...{ avatar: null, jobTime: null, deptNames: [] },
      },
      request: async <T>(request: HostRequest) => {
        try {
          // the envelope's data, as a browser reads it
          return JSON.parse(JSON.stringify(await answer(request))) as T
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          throw new RequestError('business', error.messageIn(locale), error.code, error.data)
        }
      },
    }
  }

  private async aboutSheet({ model, host, filters }: Opened, context: RequestContext): Promise<Sheet> {
    const { locale } = context
    const words = WORDS[locale]
    const titles = async (id: string): Promise<Readonly<Record<string, string>>> => {
      const ref = model.filters.find((filter) => filter.id === id)?.field.ref
      const value = filters[id]?.value
      if (!ref || value === undefined || value === null) return {}
      const ids = (Array.isArray(value) ? value : [value]).map(String)
      const found = await host.request<readonly { id: string; title: string }[]>({
        method: 'POST',
        path: `${ref.path}/select`,
        body: { ids },
      })
      return Object.fromEntries(found.map((one) => [one.id, one.title]))
    }
    const asked = await Promise.all(
      model.filters.flatMap((filter) => {
        const value = filters[filter.id]
        if (!value) return []
        return [
          titles(filter.id).then((known) => [
            text(`${words.filter}: ${filter.title}`),
            text(filterText(filter, value, host, listTexts[locale], known)),
          ]),
        ]
      }),
    )
    const { timeZone } = this.parts
    const wall = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(context.now)
    return {
      name: words.about,
      titles: [words.report, model.title],
      rows: [
        ...(model.description ? [[EMPTY, text(model.description)]] : []),
        ...asked,
        [text(words.made), { type: 'date', value: wall.replace(' ', 'T'), pattern: 'yyyy-mm-dd hh:mm:ss' }],
        [text(words.zone), text(timeZone)],
        [text(words.by), text(`${context.user.name} (${context.user.jobNumber})`)],
      ],
    }
  }
}

const noReport = (path: string) => ({ zh: `没有报表“${path}”。`, en: `There is no report "${path}".` })

/** Sheets of a workbook differ by name. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let own = sheetName(name)
    for (let count = 2; taken.has(own.toLowerCase()); count += 1) own = `${sheetName(name).slice(0, 27)} ${count}`
    taken.add(own.toLowerCase())
    return own
  })
}

async function blockSheet(opened: Opened, block: ReportBlockModel, signal: AbortSignal): Promise<Sheet> {
  const { host } = opened
  let told: Told
  try {
    told = await askBlock({ host, model: opened.model, scope: opened.scope, filters: opened.filters }, block, signal)
  } catch (error) {
    // one block that its reader may not see does not keep the others from him
    if (error instanceof RequestError) return { name: block.title, titles: [error.message], rows: [] }
    throw error
  }
  const rows = block.dimensions.length === 0 ? figureRows(opened, block, told) : groupRows(opened, block, told)
  const texts = reportTexts[host.locale]
  const notes = [
    ...(told.more ? [texts.more(told.groups.length)] : []),
    ...(told.unconverted > 0 ? [texts.unconverted(told.unconverted)] : []),
  ]
  return { name: block.title, titles: rows.titles, rows: [...rows.rows, ...notes.map((note) => [text(note)])] }
}

type Rows = Pick<Sheet, 'titles' | 'rows'>

/** Of figures each measure is a row. */
function figureRows(opened: Opened, block: ReportBlockModel, { groups: [group], before }: Told): Rows {
  const { shown, host } = opened
  const words = WORDS[host.locale]
  const texts = reportTexts[host.locale]
  const rows = block.measures.flatMap((id) => {
    const amounts = group?.figures[id] ?? []
    return (amounts.length === 0 ? [undefined] : amounts).map((amount): SheetCell[] => {
      const then = group?.before?.[id]?.find(({ currency }) => currency === amount?.currency)
      return [
        text(titleOf(shown, id, amount?.currency)),
        cellOf(opened, id, amount, group),
        ...(before ? [cellOf(opened, id, then, group)] : []),
      ]
    })
  })
  return { titles: [words.figure, words.value, ...(before ? [texts.before(words.value)] : [])], rows }
}

/** A row a group; money of several currencies has a column each. */
function groupRows(opened: Opened, block: ReportBlockModel, { groups, totals, before }: Told): Rows {
  const { shown, host } = opened
  const texts = reportTexts[host.locale]
  const all = totals ? [...groups, totals] : groups
  const columns = block.measures.flatMap((id) => {
    const found = new Set(all.flatMap(({ figures }) => (figures[id] ?? []).map(({ currency }) => currency)))
    const currencies = found.size === 0 ? [undefined] : [...found].sort((one, other) => String(one).localeCompare(String(other)))
    return currencies.flatMap((currency) => {
      const of = (figures: Group['figures'] | undefined) => figures?.[id]?.find((amount) => amount.currency === currency)
      const title = titleOf(shown, id, currency)
      return [
        { title, cell: (group: Group) => cellOf(opened, id, of(group.figures), group) },
        ...(before ? [{ title: texts.before(title), cell: (group: Group) => cellOf(opened, id, of(group.before), group) }] : []),
      ]
    })
  })
  const cells = (group: Group): SheetCell[] => columns.map(({ cell }) => cell(group))
  return {
    titles: [...block.dimensions.map((id) => shown.title(id)), ...columns.map(({ title }) => title)],
    rows: [
      ...groups.map((group) => [
        ...block.dimensions.map((id, index) => text(shown.dimension(id, group, index))),
        ...cells(group),
      ]),
      ...(totals ? [[...block.dimensions.map((_, index) => text(index === 0 ? texts.total : '')), ...cells(totals)]] : []),
    ],
  }
}

const titleOf = (shown: Shown, id: string, currency: string | undefined): string =>
  currency === undefined || currency === '' ? shown.title(id) : `${shown.title(id)} (${currency})`

/** A number stays a number: shares as percent, money with two decimals, everything else as exact as it is. */
function cellOf({ model, shown }: Opened, id: string, amount: Amount | undefined, group: Group | undefined): SheetCell {
  const measure = model.measures.find((one) => one.id === id)
  const exact = amount === undefined ? undefined : toExact(amount.value)
  if (amount === undefined) return EMPTY
  // days and moments
  if (exact === undefined) return text(group ? shown.measure(id, group) : amount.value)
  if (measure?.format === 'percent') return { type: 'number', value: exactText(exact.dividedBy(HUNDRED)), pattern: '0.00%' }
  const pattern = measure?.format === 'money' ? '#,##0.00' : exact.isInteger() ? '#,##0' : '#,##0.######'
  return { type: 'number', value: exactText(exact), pattern }
}
