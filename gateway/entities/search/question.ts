import { sql, type Name, type SQL } from 'drizzle-orm'
import type { EntityModel, EntityView, FieldModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import { allOf, anyOf, clauseSql, escapeLike, likeSql, textArray, type Clause } from '../clause'
import type { EntityRecord } from '../calls'
import type { QueriedTable } from '../query/condition'
import { foundIn, searchFields } from '../query/keyword'
import { ALIAS, queriedTable } from '../query/queriedTable'
import type { Registry } from '../registry'
import { columnSql } from '../tables'
import { keyedFields, nearKeysOf, nearListSql, phoneFields, type KeyedField } from './keys'

/** Digits that are looked for in numbers of phones. */
const LEAST_DIGITS = 4
/** Shorter Latin words are looked for where words begin: an index of trigrams knows nothing else of them. */
const TRIGRAM = 3

/** Stands between texts that are asked at once. */
const BETWEEN = '\u001f'

/** What is asked of the rows of one entity, from the best matches to all of them. */
export interface Asked {
  /** One of the texts is what was typed. */
  exact: Clause
  /** Rows that are in any case among those that are put into order. */
  first: Clause
  all: Clause
  /** The same as `all` for a table that is read whole. */
  few: Clause
  rank: SQL
}

/** What is asked of the rows of one entity, with the fields that the caller may read. */
export class Question {
  private readonly texts: readonly FieldModel[]
  private readonly keyed: readonly KeyedField[]
  private readonly phones: readonly FieldModel[]
  private readonly limited: ReadonlySet<string>
  /** As pinyin is keyed: letters alone; empty when the words cannot be any. */
  private readonly spoken: string
  private readonly digits: string
  private table: QueriedTable | undefined

  constructor(
    private readonly registry: Registry,
    private readonly context: RequestContext,
    private readonly model: EntityModel,
    private readonly view: EntityView | undefined,
    private readonly phrase: string,
  ) {
    const { texts, keyed, phones, limited } = openTexts(registry, context, model, view)
    this.texts = texts
    this.keyed = keyed
    this.phones = phones
    this.limited = limited
    const letters = phrase.toLowerCase().replace(/[\s'’]/g, '')
    this.spoken = /^[a-z0-9ü]*[a-z][a-z0-9ü]*$/.test(letters) ? letters.replaceAll('ü', 'v') : ''
    const digits = phrase.replace(/[\s()+.-]/g, '')
    this.digits = /^\d+$/.test(digits) && digits.length >= LEAST_DIGITS ? digits : ''
  }

  private get queried(): QueriedTable {
    return (this.table ??= queriedTable(this.registry, this.context, this.model, this.view))
  }

  /** The words as they are typed; undefined when no text of the entity may be asked. */
  whole(): Asked | undefined {
    if (this.model.document['x-partition']) return this.exactly()
    const { phrase, spoken } = this
    const begins = `${escapeLike(phrase)}%`
    const isShort = /^[ -~]{1,2}$/.test(phrase)
    const like = (fields: readonly FieldModel[], pattern: string): Clause[] =>
      fields.map((field) => this.within(field, likeSql(columnSql(ALIAS, field), pattern)))
    // a text that is found whole only has no beginning and no part
    const parted = this.texts.filter(({ field }) => field['x-searchWhole'] !== true)
    const titles = parted.filter(({ name }) => this.model.titleFields.includes(name))
    const same = like(this.texts, escapeLike(phrase))
    const starts = like(parted, begins)
    const calls = this.digits === '' ? [] : like(this.phones, `%${this.digits}`)
    const dialled = this.digits === '' ? [] : like(this.phones, `%${this.digits}%`)
    const inWords = isShort ? like(parted, `% ${begins}`) : foundIn(this.queried, phrase, this.registry.samples, this.texts)
    const said = spoken === '' ? [] : this.keyed.map((one) => columnSql(ALIAS, { column: one.spoken }))
    const saidFirst = said.map((key) => sql`${key} like ${`% ${spoken}%`}`)
    const saidWithin = spoken.length >= TRIGRAM ? said.map((key) => sql`${key} like ${`%${spoken}%`}`) : saidFirst
    const all = anyOf([...inWords, ...(isShort ? starts : []), ...dialled, ...saidWithin])
    if (all === false) return undefined
    return {
      exact: anyOf(same),
      first: anyOf([...starts, ...calls, ...saidFirst]),
      all,
      few: this.inFew(isShort),
      rank: rankSql([same, calls, like(titles, begins), starts, like(titles, `%${begins}`), inWords, saidFirst]),
    }
  }

  /**
   * The same question for a table with few rows: all texts of a row at once, in a way that no index knows. Planning how to use indexes
   * takes longer than reading such a table, and most tables have nothing of what is asked.
   */
  private inFew(isShort: boolean): Clause {
    const { phrase, spoken } = this
    const together = (columns: readonly (SQL | Name)[]): SQL => sql`concat_ws(${BETWEEN}, ${sql.join([...columns], sql`, `)})`
    const parted = this.texts.filter(({ name, field }) => field['x-searchWhole'] !== true && !this.limited.has(name))
    const others = this.texts.filter((field) => !parted.includes(field))
    const part = escapeLike(phrase)
    const text = (column: SQL): Clause[] =>
      (isShort ? [`% ${part}%`, `%${BETWEEN}${part}%`] : [`%${part}%`]).map((pattern) => likeSql(column, pattern))
    const all = together([sql`''`, ...parted.map((field) => columnSql(ALIAS, field))])
    return anyOf([
      ...(parted.length === 0 ? [] : text(all)),
      ...(others.length === 0 ? [] : foundIn(this.queried, phrase, this.registry.samples, others)),
      ...(this.digits === '' || this.phones.length === 0
        ? []
        : [sql`${together(this.phones.map((field) => columnSql(ALIAS, field)))} like ${`%${this.digits}%`}`]),
      ...(spoken === '' || this.keyed.length === 0
        ? []
        : [
            sql`${together(this.keyed.map((one) => columnSql(ALIAS, { column: one.spoken })))} like ${spoken.length >= TRIGRAM ? `%${spoken}%` : `% ${spoken}%`}`,
          ]),
    ])
  }

  /** Where only some rows may be found by a text, the condition stands with those rows. */
  private within({ name }: FieldModel, found: SQL): Clause {
    return this.limited.has(name) ? allOf([found, this.queried.only?.(name) ?? false]) : found
  }

  /** Records at volume are found by a whole number or id alone. */
  private exactly(): Asked | undefined {
    if (/\s/.test(this.phrase) || !/\d/.test(this.phrase) || this.phrase.length < 6) return undefined
    const { model } = this
    const names = ['id', ...(model.document['x-partition']?.exact ?? [])]
    const fields = names.flatMap((name) => model.fields.get(name) ?? []).filter(({ name }) => this.queried.searchable(name))
    const all = anyOf(fields.map((field) => sql`${columnSql(ALIAS, field)}::text = ${this.phrase}`))
    return all === false ? undefined : { exact: false, first: false, all, few: all, rank: sql`0` }
  }

  /** Rows with words that may be one error apart; whether they are is seen when they are read. */
  near(words: readonly string[]): Asked | undefined {
    if (this.keyed.length === 0) return undefined
    const lists = this.keyed.map(({ near }) => columnSql(ALIAS, { column: near }))
    const digests = words.map((word) => textArray(nearKeysOf(word)))
    const together = nearListSql(sql`concat_ws(' ', ${sql.join(lists, sql`, `)})`)
    return {
      ...{ exact: false, first: false, rank: sql`0` },
      all: allOf(digests.map((list) => anyOf(lists.map((near) => sql`${nearListSql(near)} && ${list}`)))),
      few: allOf(digests.map((list) => sql`${together} && ${list}`)),
    }
  }

  /** By what a row was found, where its title does not show it. */
  why(row: EntityRecord, title: string): { label: string; value?: string } | undefined {
    // the phrase is in one width already
    const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
    const wanted = plain(this.phrase)
    if (plain(title).includes(wanted)) return undefined
    const label = (field: FieldModel) => field.label[this.context.locale]
    const has = (field: FieldModel, part: string): boolean => plain(String(row[field.name] ?? '')).includes(part)
    const byText = this.texts.find((field) => has(field, wanted))
    const byPhone = this.digits === '' ? undefined : this.phones.find((field) => has(field, this.digits))
    const found = byText ?? byPhone
    if (!found) return undefined
    // looking at such a value is noted where the record is opened
    return found.field['x-viewLogged'] ? { label: label(found) } : { label: label(found), value: String(row[found.name]) }
  }
}

/** Texts of an entity that somebody may read. */
interface OpenTexts {
  texts: readonly FieldModel[]
  keyed: readonly KeyedField[]
  phones: readonly FieldModel[]
  /** Texts by which only some of the rows may be found. */
  limited: ReadonlySet<string>
}

interface KnownTexts {
  generation: object
  fieldRules: RequestContext['fieldRules']
  of: Map<string, OpenTexts>
}

const known = new WeakMap<RequestContext['permissions'], KnownTexts>()

/** Remembered for as long as documents, keys and field rules are the very same: rights that change are other objects. */
function openTexts(registry: Registry, context: RequestContext, model: EntityModel, view: EntityView | undefined): OpenTexts {
  const { permissions, fieldRules } = context
  const { generation } = registry
  let kept = known.get(permissions)
  if (kept?.generation !== generation || kept.fieldRules !== fieldRules) {
    kept = { generation, fieldRules, of: new Map() }
    known.set(permissions, kept)
  }
  const key = `${context.kind} ${model.name} ${view?.id ?? ''}`
  const found = kept.of.get(key) ?? textsOf(queriedTable(registry, context, model, view))
  kept.of.set(key, found)
  return found
}

function textsOf({ model, searchable, only }: QueriedTable): OpenTexts {
  const open = (field: FieldModel): boolean => searchable(field.name)
  const texts = model.document['x-partition'] === undefined ? searchFields(model).filter(open) : []
  return {
    texts,
    keyed: keyedFields(model).filter(({ field }) => open(field)),
    phones: phoneFields(model).filter(open),
    limited: new Set(texts.map(({ name }) => name).filter((name) => only?.(name) !== undefined)),
  }
}

/** The place of the first list of which a condition holds. */
function rankSql(lists: readonly (readonly Clause[])[]): SQL {
  const cases = lists.flatMap((list, rank) => {
    const any = anyOf(list)
    return any === false ? [] : [sql`when ${clauseSql(any)} then ${sql.raw(String(rank))}`]
  })
  return cases.length === 0
    ? sql`${sql.raw(String(lists.length))}`
    : sql`case ${sql.join(cases, sql` `)} else ${sql.raw(String(lists.length))} end`
}
