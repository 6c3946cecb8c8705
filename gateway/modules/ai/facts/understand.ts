import { addDays, type Day } from '../../../platform/calendar'
import type { RequestContext } from '../../../platform/http'
import { can } from '../../../platform/http'
import type { EntityEngine } from '../../../entities'
import type { FieldModel } from '../../../../src/schema/entity'
import type { BilingualText } from '../../../../src/schema/problem'
import { countryOptions } from '../../../../src/schema/formats'
import type { Bucket, QueryCondition, QueryWhere } from '../../../../src/schema/model'
import type { ListTab } from '../../../pages'
import { canonical, languageOf, Lexicon, normalise, numberOf } from '../language/normalise'
import { periodOf, startOf, type Period } from '../language/time'
import type { Measure, Subject } from './subjects'

export type Intent = 'count' | 'sum' | 'top' | 'list' | 'trend'

/** A condition that a question names, with the words for it. */
export interface Filter {
  where: QueryWhere
  label: BilingualText
  value: BilingualText
  kind: 'person' | 'record' | 'filter'
}

export interface Group {
  id: string
  label: BilingualText
  path: string
  bucket?: Bucket
}

/** Somebody or something whose name stands in a question. */
export interface Named {
  entity: string
  id: string
  title: string
  text: string
  /** The caller may not see it. */
  hidden: boolean
}

/** A question about the portal's data, understood. */
export interface Understood {
  locale: 'zh' | 'en'
  intent: Intent
  subject: Subject
  measure?: Measure | undefined
  /** Words that nothing was made of. */
  unread: string
  /** The word that said it. */
  measureText?: string | undefined
  period?: Period | undefined
  compare?: 'previousPeriod' | 'previousYear' | undefined
  group?: Group | undefined
  filters: readonly Filter[]
  limit: number
  order: 'asc' | 'desc'
  day: string
}

const COUNT =
  /多少(?:个|家|条|张|笔|位|名|单|人|份|只)|几(?:个|家|条|张|笔|位|名|单|人|份|只)|how many|number of|数量|(?:有|共)多少|总数|数$/
const AMOUNT = /多少|how much|total|合计|总共|总额|总计|what (?:is|was|are|were)|what's/
const LIST = /哪些|哪几|列出|列表|清单|显示|看看|找出|list|show|which|find|give me/
const DESC =
  /最(?:高|多|大|好|贵|长)|前\s*(?:\d+|[一二三四五六七八九十]+)(?!天|日|周|个月|月)|排名|排行|\btop\b|highest|\bmost\b|largest|biggest|\bbest\b|ranking/
const ASC = /最(?:低|少|小|便宜|差|短)|lowest|\bleast\b|cheapest|smallest|fewest|\bworst\b/
const TREND = /趋势|走势|逐(?:日|月|周)|trend|over time/
const BUCKETS: readonly [RegExp, Bucket][] = [
  [/每(?:天|日)|按(?:天|日)|逐日|daily|(?:by|per|each|every) day/, 'day'],
  [/每周|按周|逐周|weekly|(?:by|per|each|every) week/, 'week'],
  [/每(?:个)?月|按月|逐月|monthly|(?:by|per|each|every) month/, 'month'],
]
const COMPARED =
  /环比|相比|对比|比较|比上|较上|比前|增长|下降|变化|\bvs\b|versus|compared? (?:to|with)|than (?:the )?(?:last|previous)|the one before|growth/
const YEAR_AGO = /同比|去年同期|year over year|\byoy\b|a year ago|same (?:period|month|quarter) (?:of )?last year/
const EARLIER = /(?:比|较|和|与|跟)上(?:个|一个)?(?:月|周|星期|季度|年)|than (?:the )?(?:last|previous)|the one before/
const MINE = /我|咱|\b(?:my|mine|i|me)\b/
const TEAM = /(?:我|我们|本)(?:的)?(?:部门|团队|组)|\b(?:my|our) (?:department|team)\b/
const OVERDUE = /逾期|超期|过期未付|到期未付|overdue|past due/
const OVER_DAYS =
  /(?:超过|大于|多于|over|more than|超)\s*(\d{1,4}|[一二三四五六七八九十百]+)\s*(?:天|日|days?)|(\d{1,4})\s*(?:天|日|days?)\s*(?:以上|or more)/
const OPEN_BILLS = ['issued', 'partPaid', 'disputed']
const UNPAID = /未付|未结|未收|没付|未还|待收|欠|应收|unpaid|open|outstanding|receivable|owe/
const TO_FOLLOW = /(?:要|待|该|需要).{0,2}跟进|to follow|follow up/
const UNREAD = /未读|unread/
const CHEAP = /便宜|最低价|成本最低|价格最低|cheapest|lowest price|lowest cost/
const SUPPLIERS = /供应商|supplier|vendor|route|通道|线路/

const GROUPS: readonly { id: string; label: BilingualText; words: RegExp; refs: readonly string[] }[] = [
  { id: 'department', label: { zh: '部门', en: 'department' }, words: /部门|团队|department|team/, refs: [] },
  {
    id: 'owner',
    label: { zh: '负责人', en: 'owner' },
    words:
      /谁|销售员|销售人员|业务员|每个人|负责人|哪个销售|哪位|各销售|按销售|\bwho\b|salespeople|salesperson|sales rep|by owner|per person|by person/,
    refs: ['sys.staff'],
  },
  { id: 'customer', label: { zh: '客户', en: 'customer' }, words: /客户|customer|client/, refs: ['crm.customer'] },
  { id: 'supplier', label: { zh: '供应商', en: 'supplier' }, words: /供应商|supplier|vendor/, refs: ['srm.supplier'] },
  { id: 'country', label: { zh: '国家/地区', en: 'country' }, words: /国家|地区|目的地|countr|destination/, refs: [] },
  { id: 'product', label: { zh: '产品', en: 'product' }, words: /产品|product/, refs: [] },
  { id: 'channel', label: { zh: '通道', en: 'channel' }, words: /通道|channel/, refs: ['biz.channel'] },
  { id: 'status', label: { zh: '状态', en: 'status' }, words: /状态|阶段|status|stage/, refs: [] },
  { id: 'level', label: { zh: '等级', en: 'level' }, words: /等级|级别|level|severity/, refs: [] },
]
const BY = /按|各|每个|每家|每位|分|哪个|哪家|哪位|哪些|哪几|\bby\b|\bper\b|\beach\b|\bwhich\b/

const ANYTHING = /什么|哪/

/** Words that only make a sentence of a question. */
const FILLER =
  /请问|总额|合计|新增|新的|数$|被|到期|全部|所有|谢谢|今天|统计|分布|情况|数据|排|请|帮我|我想知道|告诉我|看一下|一下|现在|目前|当前|一共|总共|共|有|是|的|了|吗|呢|在|里|中|和|与|多少|几个|几|哪些|什么|个|家|条|张|笔|我们|公司|我|\b(?:a|an|and|are|as|at|be|by|can|could|currently|did|do|does|for|from|give|had|has|have|how|i|in|is|it|list|many|me|much|my|number|of|on|our|please|show|tell|that|the|there|to|total|us|was|we|were|what|which|who|with|you)\b/g

export interface Reader {
  engine: EntityEngine
  context: RequestContext
  today: Day
  subjects: readonly Subject[]
  lexicon: Lexicon<{ subject: Subject; measure?: Measure }>
  tabs(subject: Subject): readonly { id: string; title: BilingualText }[]
  tab(subject: Subject, id: string): ListTab | undefined
  names(text: string): Promise<Named[]>
}

/** A field that refers to an entity, directly or by its customer. */
function pathTo(engine: EntityEngine, subject: Subject, entity: string): string | undefined {
  if (subject.entity === entity) return 'id'
  const fields = [...engine.model(subject.entity).fields.values()]
  return fields.find(({ kind, field, storage }) => kind === 'ref' && storage === 'stored' && field['x-ref'] === entity)?.name
}

/** The path of whose a row is. */
export function ownerPath(engine: EntityEngine, subject: Subject): string | undefined {
  if (subject.staff !== undefined) return subject.staff
  const customer = pathTo(engine, subject, 'crm.customer')
  return customer === undefined ? undefined : `${customer}.ownerId`
}

function groupPath(engine: EntityEngine, subject: Subject, group: (typeof GROUPS)[number]): string | undefined {
  const owner = ownerPath(engine, subject)
  if (group.id === 'owner') return owner
  if (group.id === 'department') return owner === undefined ? undefined : `${owner}.mainDeptId`
  const fields = [...engine.model(subject.entity).fields.values()].filter(
    ({ storage, many, internal }) => storage === 'stored' && !many && !internal,
  )
  for (const ref of group.refs) {
    const path = pathTo(engine, subject, ref)
    if (path !== undefined && path !== 'id') return path
  }
  const of = (fits: (field: FieldModel) => boolean) => fields.find(fits)?.name
  if (group.id === 'country') return of(({ kind }) => kind === 'country')
  if (group.id === 'product') return of(({ field }) => field['x-dictionary'] === 'product')
  if (group.id === 'level') return of(({ name, kind }) => kind === 'dictionary' && /^(level|severity)$/.test(name))
  if (group.id === 'status')
    return (
      engine.model(subject.entity).machines[0]?.field ??
      of(({ name, kind }) => kind === 'dictionary' && /^(status|stage)$/.test(name))
    )
  return undefined
}

/** Reads the words of a question; undefined when it is about none of the portal's data. */
export async function understand(
  reader: Reader,
  question: string,
): Promise<{ understood?: Understood; named: Named[]; share: number }> {
  const { engine, context, today, lexicon } = reader
  const locale = languageOf(question)
  const norm = normalise(question)
  const named = await reader.names(norm)
  let rest = named.reduce((text, { text: name }) => text.replace(name, ' '), norm)
  const compare = YEAR_AGO.test(rest) ? 'previousYear' : COMPARED.test(rest) ? 'previousPeriod' : undefined
  const { period, without } = periodsOf(rest, today, compare)
  rest = without
  const canon = canonical(rest)
  const matches = lexicon.find(canon)
  const found = subjectOf(reader, matches, norm, canon)
  if (!found) return { named, share: 0 }
  const { subject, measure, text: measureText } = found
  const team = TEAM.test(norm)
  const mine = MINE.test(norm) && !team && !/我们|\bour\b/.test(norm)
  const filters: Filter[] = []
  const said = matches
    .filter(({ entry }) => entry.subject === subject && (entry.measure === undefined || entry.measure.id === measure?.id))
    .map(({ text }) => text)
  const own = subject.words.split(',').map(canonical)
  const used = [
    ...new Set([
      ...said,
      ...(measureText === undefined ? [] : [measureText]),
      ...(said.length > 0 ? [] : own.filter((word) => canon.includes(word))),
    ]),
  ]
  // names
  for (const one of named) {
    if (one.hidden) continue
    const path = one.entity === 'sys.staff' ? ownerPath(engine, subject) : pathTo(engine, subject, one.entity)
    if (path === undefined) continue
    const label = engine.model(one.entity).label
    filters.push({
      where: { field: path, operator: 'eq', value: one.id },
      label,
      value: { zh: one.title, en: one.title },
      kind: one.entity === 'sys.staff' ? 'person' : 'record',
    })
  }
  const owner = ownerPath(engine, subject)
  if (
    mine &&
    owner !== undefined &&
    !named.some(({ entity }) => entity === 'sys.staff') &&
    !PERSONAL.has(subject.id) &&
    engine.model(subject.entity).scope.kind !== 'public'
  )
    filters.push({
      where: { field: owner, operator: 'eq', value: context.user.staffId },
      ...{ label: { zh: '负责人', en: 'owner' }, value: { zh: '您', en: 'you' }, kind: 'person' },
    })
  if (team && owner !== undefined)
    filters.push({
      where: { field: `${owner}.mainDeptId`, operator: 'in', value: context.user.deptIds },
      ...{ label: { zh: '部门', en: 'department' }, value: { zh: '您的部门', en: 'your department' }, kind: 'person' },
    })
  const special = specialFilters(subject, norm, today)
  filters.push(...special.filters)
  let day = subject.day
  const left = used.reduce((text, word) => text.replace(word, ' '), canon)
  const values = valueFilters(reader, subject, left, special.fields)
  filters.push(...values.filters)
  if (values.day !== undefined) day = values.day
  if (special.day !== undefined) day = special.day
  const bucket = BUCKETS.find(([pattern]) => pattern.test(norm))?.[1] ?? (TREND.test(norm) ? trendBucket(period) : undefined)
  const order = ASC.test(norm) || CHEAP.test(norm) ? 'asc' : 'desc'
  const top = DESC.test(norm) || ASC.test(norm) || CHEAP.test(norm)
  const group = bucket
    ? { id: 'time', label: BUCKET_LABEL[bucket], path: day, bucket }
    : groupOf(engine, subject, norm, top, named)
  const intent: Intent = bucket
    ? 'trend'
    : top || group
      ? 'top'
      : COUNT.test(norm) && !(measure && subject.id === 'traffic')
        ? 'count'
        : measure && (AMOUNT.test(norm) || !LIST.test(norm) || subject.id === 'traffic')
          ? 'sum'
          : AMOUNT.test(norm) && !LIST.test(norm)
            ? 'count'
            : 'list'
  const asked = subject.id === 'traffic' ? (measure ?? subject.measures[0]) : measure
  const limit =
    limitOf(norm) ??
    (top || group
      ? /谁|\bwho\b|哪个|哪家|which (?:customer|country|product|supplier)\b/.test(norm) && top
        ? 5
        : top
          ? 5
          : 20
      : 10)
  const unread = leftover(rest, [...used, ...values.used])
  const sizeOf = (text: string): number => text.replace(/ /g, '').length
  const covered = 1 - sizeOf(unread) / Math.max(1, sizeOf(leftover(rest, [])) + sizeOf(used.join('')))
  return {
    named,
    share: covered,
    understood: {
      unread: sizeOf(unread) > 1 ? unread : '',
      ...{ locale, intent, subject, measure: asked, measureText, period, group, filters, limit, order, day },
      compare: period && compare && intent !== 'list' ? compare : undefined,
    },
  }
}

/** Rows of these are the caller's anyway. */
const PERSONAL = new Set(['approvals', 'applications', 'sys.message', 'sea', 'todo'])
const BUCKET_LABEL: Readonly<Record<Bucket, BilingualText>> = {
  day: { zh: '天', en: 'day' },
  week: { zh: '周', en: 'week' },
  month: { zh: '月', en: 'month' },
  quarter: { zh: '季度', en: 'quarter' },
  year: { zh: '年', en: 'year' },
}
const SAID = [
  OVERDUE,
  OVER_DAYS,
  UNPAID,
  CHEAP,
  SUPPLIERS,
  DESC,
  ASC,
  TREND,
  COMPARED,
  YEAR_AGO,
  TO_FOLLOW,
  UNREAD,
  TEAM,
  BY,
  LIST,
  ...BUCKETS.map(([pattern]) => pattern),
  ...GROUPS.map(({ words }) => words),
]
const leftover = (text: string, words: readonly string[]): string =>
  words
    .flatMap((word) => [word, ...word.split(' ')])
    .reduce(
      (left, word) => left.replace(word, ' '),
      canonical(SAID.reduce((left, pattern) => left.replace(new RegExp(pattern.source, 'g'), ' '), text).replace(FILLER, ' ')),
    )
    .replace(/(?<![\p{Script=Latin}\d])[\p{Script=Latin}\d]{1,3}(?![\p{Script=Latin}\d])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

const trendBucket = (period: Period | undefined): Bucket => {
  if (!period) return 'month'
  const days = (Date.parse(period.to) - Date.parse(period.from)) / 86_400_000
  return days <= 62 ? 'day' : days <= 200 ? 'week' : 'month'
}

function limitOf(norm: string): number | undefined {
  const found =
    /前\s*(\d{1,2}|[一二两三四五六七八九十]{1,3})|\btop (\d{1,2}|[a-z]+)|(\d{1,2}|[一二两三四五六七八九十]{1,2})\s*(?:个|家|位|名|大)|(?:the |first )(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) /.exec(
      norm,
    )
  const number = found && numberOf(found.slice(1).find((one) => one !== undefined) ?? '')
  return number !== undefined && number !== null && number > 0 ? Math.min(50, number) : undefined
}

/** The period that is meant, and the question without its words. */
function periodsOf(text: string, today: Day, compare: string | undefined): { period?: Period | undefined; without: string } {
  const first = periodOf(text, today)
  if (!first) {
    if (!compare) return { without: text }
    const [from, to] = [startOf('month', today), addDays(startOf('month', today, 1), -1)]
    return {
      without: text,
      period: { from, to, unit: 'month', text: '', label: { zh: `${from.slice(0, 7)}`, en: from.slice(0, 7) } },
    }
  }
  let without = text.replace(first.text, ' ')
  if (!compare) return { period: first, without }
  const second = periodOf(without, today)
  if (second) {
    without = without.replace(second.text, ' ')
    return { period: second.from > first.from ? second : first, without }
  }
  if (EARLIER.test(text) && first.to < today && first.unit !== 'day' && !/the one before/.test(text)) {
    const from = startOf(first.unit, first.from, 1)
    const to = addDays(startOf(first.unit, from, 1), -1)
    return { without, period: { ...first, from, to, label: { zh: `${from} 至 ${to}`, en: `${from} to ${to}` } } }
  }
  return { period: first, without }
}

/** Whom rows are about. */
const PARTIES = new Set(['crm.customer', 'srm.supplier', 'sys.staff'])

type SubjectMatch = { entry: { subject: Subject; measure?: Measure }; text: string; from: number; to: number }

/** Which list and figure the words are about: a figure of its own before the rows, longer words before shorter ones. */
function subjectOf(
  { subjects, context }: Reader,
  matches: readonly SubjectMatch[],
  norm: string,
  canon: string,
): { subject: Subject; measure?: Measure | undefined; text?: string } | undefined {
  const of = (id: string) => subjects.find((one) => one.id === id)
  if (CHEAP.test(norm) && SUPPLIERS.test(norm)) {
    const subject = of('qm.supplierRate')
    if (subject) return { subject, measure: subject.measures.find(({ id }) => id === 'price') }
  }
  const worth = ({ entry: { subject }, text }: SubjectMatch): number =>
    text.length + (subject.curated ? 4 : 0) + (subject.permission === undefined || can(context, subject.permission) ? 1 : 0)
  const plain = matches.filter(({ entry }) => !entry.measure).sort((a, b) => worth(b) - worth(a))
  const figures = matches.filter(({ entry }) => entry.measure)
  const traffic = figures.filter(({ entry }) => entry.subject.id === 'traffic').sort((a, b) => b.text.length - a.text.length)
  const bills = of('fin.bill')
  if (
    bills &&
    OVERDUE.test(norm) &&
    !plain.some(({ entry }) => entry.subject.curated && !['crm.customer', 'fin.bill'].includes(entry.subject.id))
  )
    return { subject: bills, ...figureOf(bills, figures, AMOUNT.test(norm) && !COUNT.test(norm) ? 'openAmount' : undefined) }
  // a figure of traffic is meant unless rows are named that have one of this name themselves
  const [row] = plain.filter(({ entry, text }) => !(traffic[0] && isGroupWord(entry.subject, text)))
  if (row) {
    const own = figures
      .filter(({ entry }) => entry.subject === row.entry.subject)
      .sort((a, b) => b.text.length - a.text.length)[0]
    if (own) return { subject: row.entry.subject, measure: own.entry.measure, text: own.text }
    const [seeded] = figures
      .filter(({ entry }) => entry.measure?.seeded === true && entry.subject.id !== 'traffic')
      .sort((a, b) => b.text.length - a.text.length)
    if (seeded && !traffic[0] && PARTIES.has(row.entry.subject.id))
      return { subject: seeded.entry.subject, measure: seeded.entry.measure, text: seeded.text }
    if (!traffic[0] || row.entry.subject.id === 'traffic' || row.text.length > traffic[0].text.length + 2)
      return { subject: row.entry.subject }
  }
  if (traffic[0]) return { subject: traffic[0].entry.subject, measure: traffic[0].entry.measure, text: traffic[0].text }
  const own = figures
    .filter(({ entry }) => plain.some((one) => one.entry.subject === entry.subject))
    .sort((a, b) => b.text.length - a.text.length)[0]
  if (own) return { subject: own.entry.subject, measure: own.entry.measure, text: own.text }
  if (plain[0]) return { subject: plain[0].entry.subject }
  const [figure] = figures
    .filter(
      ({ entry, text }) => entry.subject.curated && entry.subject.id !== 'sys.staff' && text.length >= (canon.length < 6 ? 2 : 3),
    )
    .sort((a, b) => b.text.length - a.text.length)
  return figure ? { subject: figure.entry.subject, measure: figure.entry.measure, text: figure.text } : undefined
}

const figureOf = (subject: Subject, figures: readonly SubjectMatch[], otherwise: string | undefined) => {
  const named = figures.find(({ entry }) => entry.subject === subject)
  return {
    measure: named?.entry.measure ?? subject.measures.find(({ id }) => id === otherwise),
    ...(named ? { text: named.text } : {}),
  }
}

/** A word that may say by what a figure of traffic is grouped. */
const isGroupWord = (subject: Subject, text: string): boolean =>
  ['crm.customer', 'srm.supplier', 'biz.channel', 'sys.staff', 'biz.numberAsset', 'ops.card'].includes(subject.id) ||
  text.length <= 2

function groupOf(engine: EntityEngine, subject: Subject, norm: string, top: boolean, named: readonly Named[]): Group | undefined {
  if (subject.id === 'qm.supplierRate' && top) return undefined
  for (const group of GROUPS) {
    const found = group.words.exec(norm)
    if (!found) continue
    if (group.id === 'department' && TEAM.test(norm)) continue
    const before = norm.slice(Math.max(0, found.index - 7), found.index)
    const asked = BY.test(before) || BY.test(found[0]) || /谁|\bwho\b/.test(found[0])
    if (!asked && !(top && (subject.id === 'traffic' || group.refs.length === 0))) continue
    if (group.refs.some((ref) => ref === subject.entity) || (named.length > 0 && !asked)) continue
    if (ANYTHING.test(before) && subject.id !== 'traffic' && !top && group.id !== 'owner') continue
    const path = groupPath(engine, subject, group)
    if (path !== undefined) return { id: group.id, label: group.label, path }
  }
  return undefined
}

/** What bills and rates are asked for by words that no value has. */
function specialFilters(
  subject: Subject,
  norm: string,
  today: Day,
): { filters: Filter[]; fields: ReadonlySet<string>; day?: string } {
  const condition = (where: QueryCondition, zh: string, en: string): Filter => ({
    where,
    label: { zh: '条件', en: 'condition' },
    value: { zh, en },
    kind: 'filter',
  })
  if (subject.entity === 'fin.bill' && (OVERDUE.test(norm) || UNPAID.test(norm))) {
    const open = condition({ field: 'status', operator: 'in', value: OPEN_BILLS }, '未结清', 'open')
    if (!OVERDUE.test(norm)) return { filters: [open], fields: new Set(['status']) }
    const over = OVER_DAYS.exec(norm)
    const days = over ? (numberOf(over[1] ?? over[2] ?? '') ?? 0) : 0
    const due: QueryCondition = { field: 'dueDate', operator: 'lte', value: addDays(today, -days - 1) }
    const overdue = condition(
      due,
      days > 0 ? `逾期超过${days}天` : '已逾期',
      days > 0 ? `overdue for more than ${days} days` : 'overdue',
    )
    return { filters: [open, overdue], fields: new Set(['status', 'dueDate']), day: 'dueDate' }
  }
  if (subject.id === 'qm.supplierRate' && CHEAP.test(norm))
    return {
      filters: [condition({ field: 'status', operator: 'eq', value: 'active' }, '生效中', 'active')],
      fields: new Set(['status']),
    }
  if (subject.id === 'sys.message' && UNREAD.test(norm))
    return {
      filters: [condition({ field: 'status', operator: 'eq', value: 'unread' }, '未读', 'unread')],
      fields: new Set(['status']),
    }
  if (subject.id === 'crm.customer' && TO_FOLLOW.test(norm)) return { filters: [], fields: new Set(), day: 'nextFollowAt' }
  if (subject.id === 'approvals' && OVERDUE.test(norm)) return { filters: [], fields: new Set() }
  return { filters: [], fields: new Set() }
}

/** Labels of values that are words of any sentence. */
const VERBS = new Set(['creat', 'own', 'other', 'yes', 'no', 'new', 'all', 'sent', '新增', '新建', '其他'])

interface ValueEntry {
  kind: 'value' | 'tab'
  field?: FieldModel
  code?: string
  tab?: string
  label: BilingualText
}

/** Values of dictionaries, countries and tabs of the list that the words name. */
function valueFilters(
  reader: Reader,
  subject: Subject,
  text: string,
  taken: ReadonlySet<string>,
): { filters: Filter[]; used: string[]; day?: string } {
  const { engine } = reader
  const lexicon = new Lexicon<ValueEntry>()
  const both = (label: BilingualText, entry: ValueEntry): void => {
    for (const word of [label.zh, label.en])
      if (canonical(word).length > 1 && !VERBS.has(canonical(word))) lexicon.add(word, entry)
  }
  const fields = [...engine.model(subject.entity).fields.values()].filter(
    (field) => field.storage === 'stored' && !field.internal,
  )
  for (const { id, title } of reader.tabs(subject))
    if (!/^(all|visible|mine|current|list)$/.test(id)) both(title, { kind: 'tab', tab: id, label: title })
  for (const field of fields) {
    const dictionary = field.field['x-dictionary']
    if (dictionary !== undefined)
      for (const { code, label } of engine.dictionaryChoices(dictionary)) {
        both(label, { kind: 'value', field, code, label })
        for (const word of VALUE_WORDS[`${dictionary}.${code}`]?.split(',') ?? [])
          lexicon.add(word, { kind: 'value', field, code, label })
      }
    if (field.kind === 'country')
      for (const [index, { code, label }] of countryOptions('zh').entries()) {
        const en = countryNames().get(code) ?? countryOptions('en')[index]?.label ?? code
        both({ zh: label, en }, { kind: 'value', field, code, label: { zh: label, en } })
      }
  }
  const filters: Filter[] = []
  const used: string[] = []
  const seen = new Set(taken)
  let day: string | undefined
  const matches = lexicon.find(text)
  const order = (entry: ValueEntry): number =>
    entry.kind === 'tab'
      ? 1
      : entry.field?.name === engine.model(subject.entity).machines[0]?.field ||
          /^(status|stage|product|country|countryCode)$/.test(entry.field?.name ?? '')
        ? 0
        : 2
  for (const { entry, text: word } of [...matches].sort((a, b) => order(a.entry) - order(b.entry))) {
    if (used.includes(word)) continue
    if (entry.kind === 'tab') {
      const tab = reader.tab(subject, entry.tab ?? '')
      if (!tab) continue
      used.push(word)
      for (const where of tab.where) filters.push({ where, label: { zh: '页签', en: 'tab' }, value: entry.label, kind: 'filter' })
      continue
    }
    const { field, code } = entry
    if (!field || code === undefined || seen.has(field.name)) continue
    seen.add(field.name)
    used.push(word)
    day = subject.days?.[code] ?? day
    const where: QueryCondition = field.many
      ? { field: field.name, operator: 'overlaps', value: [code] }
      : { field: field.name, operator: 'eq', value: code }
    filters.push({ where, label: field.label, value: entry.label, kind: 'filter' })
  }
  return { filters, used, ...(day === undefined ? {} : { day }) }
}

let names: Map<string, string> | undefined
function countryNames(): Map<string, string> {
  if (!names || names.size === 0) names = new Map(countryOptions('en').map(({ code, label }) => [code, label]))
  return names
}

/** Further words for values, by dictionary and code. */
const VALUE_WORDS: Readonly<Record<string, string>> = {
  'boStage.won': '赢单,成交,赢了,won,win,closed won',
  'boStage.lost': '输单,丢单,输了,lost',
  'customerStage.dealt': '成交,已成交,dealt',
  'customerStage.churned': '流失,已流失,churned',
  'customerStage.silent': '沉默,静默,silent',
  'customerLevel.a': 'a类,a级,class a',
  'customerLevel.b': 'b类,b级,level b',
  'customerLevel.c': 'c类,c级,level c',
  'customerLevel.d': 'd类,d级,level d',
  'product.sms': '短信,sms',
  'product.voice': '语音,voice,calls',
  'product.whatsapp': 'whatsapp,wa',
  'ewAlarmStatus.firing': '告警中,进行中,firing',
}
