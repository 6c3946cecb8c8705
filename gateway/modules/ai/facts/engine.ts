import type { BilingualText } from '../../../../src/schema/problem'
import { ready } from '../../../../src/schema/formats'
import type { AggregateRow, QueryWhere } from '../../../../src/schema/model'
import type { FieldModel } from '../../../../src/schema/entity'
import { tableOf, type EntityRecord } from '../../../entities'
import { tabOf, type ListTab } from '../../../pages'
import { dayOf } from '../../../platform/calendar'
import { can, ServiceError, type Locale, type RequestContext } from '../../../platform/http'
import type { ModuleParts } from '../../module'
import type { Block, Voice } from '../events'
import { Lexicon, languageOf, normalise } from '../language/normalise'
import { periodOf } from '../language/time'
import { namesIn } from './names'
import { subjectsOf, type Measure, type Subject } from './subjects'
import { understand, type Named, type Reader, type Understood } from './understand'
import { figure, shownValue, told, type Shown } from './words'

type Parts = Pick<ModuleParts, 'engine' | 'schemas' | 'database' | 'page'>

const HELP =
  /怎么|如何|怎样|步骤|在哪|哪里|能不能|可不可以|\bhow (?:do|can|to|should|does)\b|\bwhere (?:is|are|can|do)\b|\bcan i\b/
const WHY = /为什么|为何|什么原因|\bwhy\b/
const MEANING =
  /什么是|是什么意思|什么意思|指什么|含义|有哪些状态|\bmean(?:s|ing)?\b|what is an? |difference between|which states/
const CONTACT = /手机|电话|联系方式|邮箱|邮件地址|微信|\bphone\b|\bmobile\b|\bemail\b|\be-mail\b|contact details|phone number/
const WAITING = new Set(['approvals', 'todo'])
const WHOLE = /全部|所有|列出|导出|全体|\ball\b|\bevery\b|\blist\b/
const MOST_PARTS = 12

/** What was read for an answer, so that it can be compared. */
export interface Read {
  tool: 'aggregate' | 'query' | 'record'
  entity: string
}

/** Questions about the portal's data: one call of the entity engine in the caller's name each. */
export class DataEngine {
  private made: { revision: string; subjects: Subject[]; lexicon: Reader['lexicon'] } | undefined

  constructor(private readonly parts: Parts) {}

  private known() {
    const { engine, schemas } = this.parts
    if (this.made?.revision === schemas.revision) return this.made
    const subjects = subjectsOf(engine, schemas)
    const lexicon: Reader['lexicon'] = new Lexicon()
    for (const subject of subjects) {
      for (const word of subject.words.split(',')) if (word.trim() !== '') lexicon.add(word, { subject })
      for (const measure of subject.measures) for (const word of measure.words.split(',')) lexicon.add(word, { subject, measure })
    }
    this.made = { revision: schemas.revision, subjects, lexicon }
    return this.made
  }

  private reader(context: RequestContext): Reader {
    const { engine, database, page } = this.parts
    const { subjects, lexicon } = this.known()
    const zone = database.companyTimeZone
    return {
      ...{ engine, context, subjects, lexicon, today: dayOf(context.now, zone) },
      tabs: ({ page: name }) => {
        const document = page(name)
        return document?.kind === 'list'
          ? (document.views ?? []).flatMap(({ id, title }) => (title ? [{ id, title: title as BilingualText }] : []))
          : []
      },
      tab: (subject, tab) => tabOf(page, { page: subject.page, tab }, context, zone),
      names: (text) => namesIn(engine, database, context, text),
    }
  }

  /** Answers a question about data; false when it is about none, or asks how something is done. */
  async answer(caller: RequestContext, question: string, voice: Voice): Promise<boolean> {
    const context = { ...caller, locale: languageOf(question) }
    await Promise.all([ready('country'), ready('countries')])
    const norm = normalise(question)
    if (WHY.test(norm) || (HELP.test(norm) && !/怎么样/.test(norm)) || MEANING.test(norm)) return false
    const reader = this.reader(context)
    const { understood, named, share } = await understand(reader, question)
    const locale = languageOf(question)
    if (CONTACT.test(norm)) {
      if (await this.contact(context, norm, named, locale, voice)) return true
    }
    const record = named.find(({ entity }) => entity !== 'sys.staff')
    const hidden = named.find((one) => one.hidden)
    if (hidden && !named.some((one) => !one.hidden)) {
      voice.say(
        locale === 'zh'
          ? `没有您可以查看的“${hidden.text}”。它可能属于别人；可以向其负责人或您的主管了解。`
          : `There is no “${hidden.text}” that you may see. It may be somebody else's: ask its owner or your lead.`,
      )
      voice.called({ tool: 'record', title: hidden.text, rows: 0, ms: 0, refused: true })
      return true
    }
    const ofRecord =
      record &&
      !record.hidden &&
      (understood === undefined || understood.subject.entity === record.entity || this.isField(record, understood))
    if (record && ofRecord) return this.record(context, record, norm, locale, voice)
    if (!understood || share < 0.45) return false
    // what waits is told with the first of it
    const waiting = WAITING.has(understood.subject.id) && understood.intent === 'count'
    await this.rows(reader, question, waiting ? { ...understood, intent: 'list', limit: 3 } : understood, voice)
    return true
  }

  /** A question that goes on with the one before: only its period, or another part, is new. */
  continued(context: RequestContext, question: string, before: string | undefined): string | undefined {
    if (before === undefined) return undefined
    const today = dayOf(context.now, this.parts.database.companyTimeZone)
    const norm = normalise(question)
    const period = periodOf(norm, today)
    const rest = norm
      .replace(period?.text ?? '', '')
      .replace(/那么|那|呢|的|怎么样|and|what|about|how|then|for|in/g, '')
      .trim()
    if (!period || rest.length > 1) return undefined
    const earlier = normalise(before)
    const was = periodOf(earlier, today)
    return was ? earlier.replace(was.text, period.text) : `${period.text} ${earlier}`
  }

  private isField({ entity }: Named, { subject, measure, intent }: Understood): boolean {
    return (
      measure !== undefined &&
      subject.curated &&
      subject.id !== 'traffic' &&
      intent !== 'count' &&
      entity === 'crm.customer' &&
      subject.entity === 'crm.customer'
    )
  }

  /** How somebody is reached: as the caller may see it. Everybody's at once is told to nobody. */
  private async contact(
    context: RequestContext,
    norm: string,
    named: readonly Named[],
    locale: Locale,
    voice: Voice,
  ): Promise<boolean> {
    const { engine, database } = this.parts
    const began = performance.now()
    const ask = {
      zh: '需要时可向记录的负责人或管理员申请权限“查看敏感信息”。',
      en: 'Ask the owner of the record, or an administrator for the right “see sensitive data”.',
    }
    const done = (rows: number, refused: boolean): void =>
      voice.called({
        tool: 'record',
        title: locale === 'zh' ? '查阅联系方式' : 'Looked up how to reach',
        rows,
        ms: Math.round(performance.now() - began),
        refused,
      })
    const wanted = /邮箱|邮件|mail/.test(norm) ? ['email'] : ['mobile', 'phone']
    const staff = named.find(({ entity }) => entity === 'sys.staff')
    const contacts = engine.names().includes('crm.contact')
      ? (
          await database.query<{ id: string; name: string }>(
            `select id, name from ${tableOf('crm.contact')} where deleted_at is null and length(name) >= 2 and strpos($1, lower(name)) > 0 order by length(name) desc limit 3`,
            [norm],
          )
        ).rows
      : []
    const people: { entity: string; id: string; name: string }[] = [
      ...contacts.map(({ id, name }) => ({ entity: 'crm.contact', id, name })),
      ...(staff ? [{ entity: 'sys.staff', id: staff.id, name: staff.title }] : []),
    ]
    const customer = named.find(({ entity, hidden }) => entity === 'crm.customer' && !hidden)
    if (people.length === 0 && !customer) {
      if (!WHOLE.test(norm)) return false
      done(0, true)
      voice.say(
        locale === 'zh'
          ? `我不会成批给出联系方式：电话和邮箱按权限脱敏，只在各自的记录里查看并留有记录。${ask.zh}`
          : `I do not tell contact details in bulk: phones and mails are masked by rights, and looked up in each record, which notes it. ${ask.en}`,
      )
      return true
    }
    const rows =
      people.length > 0
        ? await Promise.all(
            people.map((one) => this.readPerson(context, one.entity, [{ field: 'id', operator: 'eq', value: one.id }])),
          )
        : [await this.readPerson(context, 'crm.contact', [{ field: 'customerId', operator: 'eq', value: customer?.id }])]
    const records = rows.flat()
    const values = records
      .flatMap((one) => wanted.map((field) => ({ name: String(one['name'] ?? ''), value: one[field] })))
      .filter(({ value }) => typeof value === 'string' && value !== '')
    const clear = values.filter(({ value }) => !String(value).includes('*'))
    const title = people[0]?.name ?? customer?.title ?? ''
    done(records.length, clear.length === 0)
    if (clear.length > 0) {
      voice.say(
        clear
          .slice(0, 5)
          .map(({ name, value }) => (locale === 'zh' ? `${name}：${String(value)}` : `${name}: ${String(value)}`))
          .join('\n\n'),
      )
      return true
    }
    const masked = values[0]
    voice.say(
      locale === 'zh'
        ? `“${title}”的联系方式对您不可见${masked ? `（${String(masked.value)}）` : ''}。${ask.zh}`
        : `How to reach “${title}” is not open to you${masked ? ` (${String(masked.value)})` : ''}. ${ask.en}`,
    )
    return true
  }

  private async readPerson(context: RequestContext, entity: string, where: QueryWhere[]): Promise<EntityRecord[]> {
    try {
      return (await this.parts.engine.queryPage(entity, context, { where, pageSize: 5 })).records
    } catch (error) {
      if (error instanceof ServiceError) return []
      throw error
    }
  }

  /** What a record says: the field that is asked for, else what matters about it. */
  private async record(context: RequestContext, named: Named, norm: string, locale: Locale, voice: Voice): Promise<boolean> {
    const { engine, database, schemas } = this.parts
    const began = performance.now()
    const { record, refs } = await engine.view(named.entity, context, named.id)
    const model = engine.model(named.entity)
    voice.called({ tool: 'record', title: named.title, rows: 1, ms: Math.round(performance.now() - began), refused: false })
    const shown: Shown = { engine, refs, locale, zone: database.companyTimeZone }
    const fields = [...model.fields.values()].filter(({ internal, storage }) => !internal && storage !== 'lines')
    const lexicon = new Lexicon<FieldModel>()
    for (const field of fields)
      for (const word of [field.label.zh, field.label.en, ...(FIELD_WORDS[field.name]?.split(',') ?? [])])
        lexicon.add(word, field)
    const rest = norm.replace(named.text, ' ')
    const [asked] = lexicon.find(rest).sort((a, b) => b.text.length - a.text.length)
    const value = asked && asked.text.length > 1 ? shownValue(shown, asked.entry, record) : undefined
    if (asked && asked.text.length > 1) {
      const label = asked.entry.label[locale]
      const there = asked.entry.name in record
      voice.say(
        !there
          ? locale === 'zh'
            ? `“${named.title}”的${label}对您不可见。可向管理员申请相应权限。`
            : `${label} of “${named.title}” is not open to you. Ask an administrator for the right.`
          : value
            ? locale === 'zh'
              ? `**${named.title}** 的${label}：**${value}**`
              : `${label} of **${named.title}**: **${value}**`
            : locale === 'zh'
              ? `**${named.title}** 的${label}没有填写。`
              : `${label} of **${named.title}** is empty.`,
      )
    } else {
      const lines = fields
        .filter(({ field, name }) => field['x-list'] === true || name === 'ownerId')
        .flatMap((field) => {
          const text = shownValue(shown, field, record)
          return text === '' || field.name === model.titleField
            ? []
            : [`- ${field.label[locale]}${locale === 'zh' ? '：' : ': '}${text}`]
        })
      voice.say(`**${named.title}**\n\n${lines.slice(0, MOST_PARTS).join('\n')}`)
    }
    const page = schemas.detailPage(named.entity)
    if (page !== undefined) voice.show({ kind: 'link', label: named.title, path: `${page}?id=${encodeURIComponent(named.id)}` })
    return true
  }

  private async rows(reader: Reader, question: string, asked: Understood, voice: Voice): Promise<void> {
    const { engine } = this.parts
    const { context } = reader
    const { locale, subject, measure } = asked
    const closed = measure?.reads.find((field) => !engine.readable(context, `${subject.entity}.${field}`))
    voice.show({ kind: 'understood', parts: this.partsOf(reader, question, asked) })
    if (closed !== undefined && measure) return this.closed(context, question, asked, closed, voice)
    const list = subject.tab === undefined ? undefined : reader.tab(subject, subject.tab)
    const base: { view?: string; where: QueryWhere[]; sort: ListTab['sort'] } =
      list && !subject.whole ? list : { where: [], sort: list?.sort ?? [] }
    const period: QueryWhere[] = asked.period
      ? [{ field: asked.day, operator: 'between', value: [asked.period.from, asked.period.to] }]
      : []
    const extra: QueryWhere[] = [...subject.where, ...asked.filters.map(({ where }) => where), ...period]
    const where = [...withoutTaken(base.where, asked), ...extra]
    const view = base.view === undefined ? {} : { view: base.view }
    const path = this.linkTo(context, subject, list, extra)
    const began = performance.now()
    const called = (tool: string, rows: number, refused = false): void =>
      voice.called({ tool, title: subject.label[locale], rows, ms: Math.round(performance.now() - began), refused })
    try {
      if (asked.intent === 'list' || (asked.intent === 'top' && !asked.group)) {
        called('query', await this.list(context, asked, { ...view, where, sort: base.sort }, voice))
      } else called('aggregate', await this.aggregate(context, asked, { ...view, where }, voice))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.reason !== 'noPermission' && error.reason !== 'badRequest') throw error
      called('query', 0, true)
      voice.say(
        locale === 'zh'
          ? `${subject.label.zh}对您不开放，所以我不能回答。需要时请向管理员申请相应权限。`
          : `You have no access to ${subject.label.en}, so I cannot answer. Ask an administrator for the right if you need it.`,
      )
      return
    }
    if (asked.unread !== '')
      voice.say(locale === 'zh' ? `\n\n_没有用到的词：${asked.unread}_` : `\n\n_Words that I made nothing of: ${asked.unread}_`)
    if (path !== undefined) voice.show({ kind: 'link', label: locale === 'zh' ? '查看这些记录' : 'See these rows', path })
    voice.guess(this.next(reader, question, asked))
  }

  /** A figure that is not open to the caller: what it needs, and what he may ask instead. */
  private closed(
    context: RequestContext,
    question: string,
    { locale, measure, measureText, subject }: Understood,
    field: string,
    voice: Voice,
  ): void {
    const { engine, schemas } = this.parts
    const key = engine.model(subject.entity).fields.get(field)?.field['x-sensitive']
    const buttons = schemas.modules
      .flatMap(({ menu, places = [] }) => [...menu, ...places.flatMap((one) => one.menu)])
      .flatMap(function all(entry): { key: string; title: BilingualText }[] {
        return [...(entry.buttons ?? []), ...(entry.children ?? []).flatMap(all)]
      })
    const right = buttons.find((one) => one.key === key)?.title
    const label = measure?.label[locale] ?? ''
    voice.called({ tool: 'aggregate', title: subject.label[locale], rows: 0, ms: 0, refused: true })
    const other = subject.measures.find(
      ({ id, reads, seeded }) =>
        seeded && id !== measure?.id && reads.every((one) => engine.readable(context, `${subject.entity}.${one}`)),
    )
    voice.say(
      locale === 'zh'
        ? `${label}对您不开放${right ? `（需要权限“${right.zh}”）` : ''}，可向管理员申请。${other ? `您可以问${other.label.zh}。` : ''}`
        : `${label[0]?.toUpperCase() ?? ''}${label.slice(1)} is not open to you${right ? ` (it takes the right “${right.en}”)` : ''}; ask an administrator for it.${other ? ` You may ask for ${other.label.en}.` : ''}`,
    )
    if (other && measureText !== undefined) voice.guess([swap(question, measureText, other.label[locale])])
  }

  private async list(
    context: RequestContext,
    asked: Understood,
    rows: { view?: string; where: QueryWhere[]; sort: ListTab['sort'] },
    voice: Voice,
  ): Promise<number> {
    const { engine, database, schemas } = this.parts
    const { subject, locale, measure, limit } = asked
    const model = engine.model(subject.entity)
    const by = asked.intent === 'top' ? measure?.reads[0] : undefined
    const sort =
      by !== undefined ? [{ field: by, order: asked.order, nulls: 'last' as const }] : subject.sort ? [subject.sort] : rows.sort
    const where = by !== undefined ? [...rows.where, { field: by, operator: 'notEmpty' as const }] : rows.where
    const sum = measure?.kind === 'money' ? measure.reads[0] : subject.entity === 'fin.bill' ? 'openAmount' : undefined
    const selection = { ...(rows.view === undefined ? {} : { view: rows.view }), where }
    const answer = await engine.queryPage(subject.entity, context, { ...selection, sort, pageSize: Math.min(50, limit) })
    const added =
      sum !== undefined && by === undefined && answer.total > 0
        ? (await engine.aggregate(subject.entity, context, { ...selection, measures: [{ id: 'sum', sum }] })).rows[0]?.measures[
            'sum'
          ]
        : undefined
    const title = model.fields.get(model.titleField)
    const columns = columnsOf([...model.fields.values()], model.titleField, by, asked.day)
    const shown: Shown = { engine, refs: answer.refs, locale, zone: database.companyTimeZone }
    const page = schemas.detailPage(subject.entity)
    const what = this.scopeText(asked)
    const sumText =
      added === undefined || added === null
        ? ''
        : locale === 'zh'
          ? `，合计 **${told(measure, added, locale)}**`
          : `, together **${told(measure, added, locale)}**`
    if (answer.total === 0) {
      voice.say(
        locale === 'zh' ? `没有符合条件的${subject.label.zh}${what}。` : `There are no ${plural(subject.label.en)}${what}.`,
      )
      return 0
    }
    voice.say(
      by !== undefined
        ? locale === 'zh'
          ? `${subject.label.zh}${what}按${measure?.label.zh ?? ''}从${asked.order === 'asc' ? '低到高' : '高到低'}的前 ${answer.records.length} 条（共 ${figure(answer.total)} 条）：`
          : `The ${answer.records.length} of ${figure(answer.total)} with the ${asked.order === 'asc' ? 'lowest' : 'highest'} ${measure?.label.en ?? ''}${what}:`
        : locale === 'zh'
          ? `${subject.label.zh}${what}共 **${figure(answer.total)}** 条${sumText}。`
          : `There are **${figure(answer.total)}** ${plural(subject.label.en)}${what}${sumText}.`,
    )
    const cells = (record: EntityRecord): string[] => columns.map((field) => shownValue(shown, field, record))
    const filled = columns.map((_, index) => answer.records.some((record) => cells(record)[index] !== ''))
    voice.show({
      ...{ kind: 'table', caption: subject.label[locale], more: answer.total > answer.records.length },
      columns: columns
        .filter((_, index) => filled[index])
        .map((field) => ({ id: field.name, title: field.label[locale], align: isNumber(field) ? 'right' : 'left' })),
      rows: answer.records.map((record) => cells(record).filter((_, index) => filled[index])),
      links: answer.records.map((record) =>
        page === undefined || title === undefined ? null : `${page}?id=${encodeURIComponent(String(record['id']))}`,
      ),
    })
    return answer.total
  }

  private async aggregate(
    context: RequestContext,
    asked: Understood,
    rows: { view?: string; where: QueryWhere[] },
    voice: Voice,
  ): Promise<number> {
    const { engine } = this.parts
    const { subject, locale, group, order, limit, compare, period } = asked
    const measure: Measure = asked.intent === 'count' || !asked.measure ? COUNTED : asked.measure
    const pool = subject.whole === true && measure === COUNTED && !group
    const answer = await engine.aggregate(subject.entity, context, {
      ...rows,
      measures: pool ? [...measure.ask, { id: 'sea', count: true, where: IN_SEA }] : measure.ask,
      ...(group
        ? {
            dimensions: [
              group.bucket ? { id: group.id, field: group.path, bucket: group.bucket } : { id: group.id, path: group.path },
            ],
          }
        : {}),
      ...(group
        ? {
            sort: group.bucket ? [{ by: group.id, order: 'asc' }] : [{ by: measure.id, order }],
            limit: group.bucket ? 400 : limit,
            totals: true,
          }
        : {}),
      ...(compare && period ? { compare, compareBy: asked.day, totals: true } : {}),
    })
    const what = this.scopeText(asked)
    const total = answer.totals ?? answer.rows[0]
    const amount = (figures: Pick<AggregateRow, 'measures'> | undefined | null): string =>
      told(measure, figures?.measures[measure.id], locale)
    const name =
      measure === COUNTED
        ? locale === 'zh'
          ? `${subject.label.zh}数`
          : `number of ${plural(subject.label.en)}`
        : subject.id === 'traffic'
          ? measure.label[locale]
          : locale === 'zh'
            ? `${subject.label.zh}的${measure.label.zh}`
            : `${measure.label.en} of ${subject.label.en}`
    const inSea = Number(total?.measures['sea'] ?? 0)
    const besides =
      inSea === 0 ? '' : locale === 'zh' ? `，其中 ${figure(inSea)} 条在公海` : `, ${figure(inSea)} of them in the open sea`
    if (!group) {
      const byCurrency = total?.measures[`${measure.id}By`]
      const split =
        typeof byCurrency === 'object' && byCurrency !== null && Object.keys(byCurrency).length > 0
          ? told(undefined, byCurrency, locale)
          : ''
      const splitText = split === '' ? '' : locale === 'zh' ? `（按币种：${split}）` : ` (by currency: ${split})`
      const before = compare ? answer.compare?.totals : undefined
      const then = !compare
        ? ''
        : this.comparison(amount(before), total?.measures[measure.id], before?.measures[measure.id], answer.compare, locale)
      voice.say(
        measure === COUNTED && !compare
          ? locale === 'zh'
            ? `${subject.label.zh}${what}共 **${amount(total)}** 条${besides}。`
            : `There are **${amount(total)}** ${plural(subject.label.en)}${what}${besides}.`
          : locale === 'zh'
            ? `${name}${what}：**${amount(total)}**${splitText}。${then}`
            : `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}${what}: **${amount(total)}**${splitText}.${then}`,
      )
      return 1
    }
    const entries = answer.rows.map((row) => ({ name: this.keyText(answer, row, group.id, locale), row }))
    if (entries.length === 0) {
      voice.say(locale === 'zh' ? `${name}${what}没有数据。` : `There is no ${name}${what}.`)
      return 0
    }
    const best = entries[0]
    const sentence = group.bucket
      ? locale === 'zh'
        ? `${name}${what}按${group.label.zh}，合计 **${amount(total)}**：`
        : `${name}${what} by ${group.label.en}, together **${amount(total)}**:`
      : locale === 'zh'
        ? `${name}${what}，${order === 'asc' ? '最低' : '最高'}的是 **${best?.name ?? ''}**：**${amount(best?.row)}**（全部 ${amount(total)}）。`
        : `${name}${what}: the ${order === 'asc' ? 'lowest' : 'highest'} is **${best?.name ?? ''}** with **${amount(best?.row)}** (all: ${amount(total)}).`
    voice.say(sentence)
    voice.show({
      ...{ kind: 'table', caption: name, more: answer.more, links: entries.map(() => null) },
      columns: [
        { id: group.id, title: group.label[locale], align: 'left' },
        { id: measure.id, title: measure.label[locale], align: 'right' },
        ...(compare ? [{ id: 'before', title: locale === 'zh' ? '之前' : 'Before', align: 'right' as const }] : []),
      ],
      rows: entries.slice(0, 50).map(({ name: key, row }) => [key, amount(row), ...(compare ? [amount(row.before)] : [])]),
    })
    const points = entries.flatMap(({ name: key, row }) => {
      const value = row.measures[measure.id]
      return typeof value === 'number' || typeof value === 'string' ? [{ name: key, value: Number(value) }] : []
    })
    if (points.length > 1)
      voice.show({
        kind: 'chart',
        chart: group.bucket ? 'line' : 'bar',
        title: name,
        unit: measure.kind === 'money' ? 'USD' : measure.kind === 'percent' ? '%' : '',
        points,
      })
    return entries.length
  }

  private comparison(
    before: string,
    now: unknown,
    then: unknown,
    period: { from: string; to: string } | undefined,
    locale: Locale,
  ): string {
    const [a, b] = [Number(now ?? 0), Number(then ?? 0)]
    const change =
      b === 0 || Number.isNaN(a) || Number.isNaN(b)
        ? ''
        : `${a >= b ? '+' : ''}${figure((((a - b) / Math.abs(b)) * 100).toFixed(1), 1)}%`
    const days = period ? ` ${period.from}–${period.to}` : ''
    return locale === 'zh'
      ? `对比期${days}：**${before}**${change === '' ? '' : `，变化 **${change}**`}。`
      : ` Before${days}: **${before}**${change === '' ? '' : `, **${change}**`}.`
  }

  private keyText(
    answer: Awaited<ReturnType<Parts['engine']['aggregate']>>,
    row: AggregateRow,
    id: string,
    locale: Locale,
  ): string {
    const key = row.key[id]
    if (key === null || key === undefined) return locale === 'zh' ? '（空）' : '(none)'
    for (const titles of Object.values(answer.refs)) {
      const title = titles[String(key)]?.title
      if (title !== undefined) return title
    }
    return answer.labels[id]?.[String(key)] ?? (/^[A-Z]{2}$/.test(String(key)) ? countryText(String(key), locale) : String(key))
  }

  /** What narrows the rows, in words after the name of the figure. */
  private scopeText({ locale, filters, period }: Understood): string {
    const parts = [...new Set([...filters.map(({ value }) => value[locale]), ...(period ? [period.label[locale]] : [])])]
    return parts.length === 0 ? '' : locale === 'zh' ? `（${parts.join('，')}）` : ` (${parts.join(', ')})`
  }

  private linkTo(
    context: RequestContext,
    subject: Subject,
    list: ListTab | undefined,
    extra: readonly QueryWhere[],
  ): string | undefined {
    if (subject.permission !== undefined && !can(context, subject.permission)) return undefined
    const address = list?.address ?? subject.path
    if (extra.length === 0) return address
    return `${address}${address.includes('?') ? '&' : '?'}where=${encodeURIComponent(JSON.stringify(extra))}`
  }

  /** How the question was understood, each part with what else may be meant. */
  private partsOf({ context }: Reader, question: string, asked: Understood): Extract<Block, { kind: 'understood' }>['parts'] {
    const { engine } = this.parts
    const { locale, subject, measure, measureText, period, filters, group } = asked
    const zh = locale === 'zh'
    const norm = normalise(question)
    const periods = zh
      ? ['今天', '本周', '本月', '上个月', '本季度', '今年']
      : ['today', 'this week', 'this month', 'last month', 'this quarter', 'this year']
    const other =
      measureText === undefined
        ? []
        : subject.measures
            .slice(0, 10)
            .filter(
              ({ id, reads }) =>
                id !== measure?.id && reads.every((field) => engine.readable(context, `${subject.entity}.${field}`)),
            )
    return [
      { kind: 'subject', label: zh ? '数据' : 'Data', text: subject.label[locale], choices: [] },
      ...(measure
        ? [
            {
              kind: 'measure' as const,
              label: zh ? '指标' : 'Figure',
              text: measure.label[locale],
              choices: other
                .slice(0, 5)
                .map(({ label }) => ({ label: label[locale], question: swap(norm, measureText ?? '', label[locale]) })),
            },
          ]
        : []),
      {
        ...{ kind: 'period', label: zh ? '期间' : 'Period', text: period?.label[locale] ?? (zh ? '不限' : 'any') },
        choices: periods
          .filter((text) => text !== period?.text)
          .map((text) => ({
            label: text,
            question: (period && period.text !== ''
              ? norm.replace(period.text, text)
              : zh
                ? `${text}${norm}`
                : `${norm} ${text}`
            ).slice(0, 100),
          })),
      },
      ...(group ? [{ kind: 'group' as const, label: zh ? '分组' : 'By', text: group.label[locale], choices: [] }] : []),
      ...filters.map(({ kind, label, value }) => ({
        ...{ kind, label: label[locale], text: value[locale] },
        choices:
          kind === 'person' && value.en === 'you'
            ? [
                {
                  label: zh ? '所有人' : 'everybody',
                  question: norm
                    .replace(zh ? /我的|我/ : /\b(?:my|mine|i|me)\b/, zh ? '' : 'the')
                    .replace(/ +/g, ' ')
                    .slice(0, 100),
                },
              ]
            : [],
      })),
    ]
  }

  private next(reader: Reader, question: string, asked: Understood): string[] {
    return this.partsOf(reader, question, asked)
      .filter(({ kind }) => kind === 'period' || kind === 'measure')
      .flatMap(({ choices }) => choices.slice(0, 2).map((one) => one.question))
      .slice(0, 3)
  }
}

const COUNTED: Measure = {
  id: 'n',
  label: { zh: '数量', en: 'number' },
  words: '',
  reads: [],
  kind: 'number',
  ask: [{ id: 'n', count: true }],
}

const IN_SEA: QueryWhere[] = [{ field: 'holding', operator: 'eq', value: 'sea' }]

const FIELD_WORDS: Readonly<Record<string, string>> = {
  ownerId: '负责人,归属人,跟进人,谁负责,谁的,owner,who owns,account manager',
  balance: '余额,balance',
  creditLimit: '授信,额度,信用额度,credit limit,credit',
  level: '等级,级别,level,grade',
  stage: '阶段,状态,stage,status',
  status: '状态,status',
  countryCode: '国家,country',
  lastFollowAt: '最近跟进,上次跟进,last follow-up,last contact',
  nextFollowAt: '下次跟进,next follow-up',
  recycleOn: '回收日期,什么时候回收,recycled',
}

/** More than one of what a label calls. */
const plural = (label: string): string =>
  /(?:s|x|you)$/.test(label) ? label : /[^aeiou]y$/.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`

const isNumber = ({ kind }: FieldModel): boolean => ['money', 'integer', 'decimal', 'percent'].includes(kind)

/** The question with another word in the place of one. */
function swap(question: string, word: string, other: string): string {
  const norm = normalise(question)
  const at = norm.includes(word) ? word : (norm.split(' ').find((one) => one.startsWith(word)) ?? word)
  return norm.replace(at, other).slice(0, 100)
}

/** Title, who, state, amount and day of rows, at most six. */
function columnsOf(fields: readonly FieldModel[], titleField: string, by: string | undefined, day: string): FieldModel[] {
  const named = (name: string | undefined) => fields.filter((field) => field.name === name)
  const listed = fields.filter(({ field, internal, storage }) => field['x-list'] === true && !internal && storage === 'stored')
  return [...new Set([...named(titleField), ...named(by), ...listed.slice(0, 4), ...named('openAmount'), ...named(day)])].slice(
    0,
    6,
  )
}

/** Conditions of a list that a question sets otherwise are left out. */
const withoutTaken = (where: readonly QueryWhere[], { filters, subject }: Understood): QueryWhere[] => {
  if (subject.id !== 'qm.supplierRate') return [...where]
  const fields = new Set(filters.flatMap(({ where: one }) => ('field' in one ? [one.field] : [])))
  return where.filter((one) => !('field' in one) || !fields.has(one.field))
}

const countryText = (code: string, locale: Locale): string =>
  new Intl.DisplayNames([locale === 'zh' ? 'zh-CN' : 'en'], { type: 'region' }).of(code) ?? code
