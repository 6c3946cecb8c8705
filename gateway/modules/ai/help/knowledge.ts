import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { BilingualText } from '../../../../src/schema/problem'
import type { SchemaRegistry } from '../../../pages'
import { can, type Locale, type RequestContext } from '../../../platform/http'
import type { KbDocument } from '../events'
import { askedTerms, Ranking, type Weighed } from './ranking'
import { TOPICS } from './topics'

/** A piece of what the assistant knows of the portal, in both languages. */
export interface Passage extends Weighed {
  kind: 'document' | 'page' | 'field' | 'state'
  name: BilingualText
  section: BilingualText
  text: BilingualText
  path: string
  /** Keys of which one is needed; none: everybody may read it. */
  keys: readonly string[]
}

const DOCUMENTS: Readonly<Record<string, BilingualText>> = {
  staff: { zh: '员工手册', en: 'For staff' },
  finance: { zh: '财务手册', en: 'Money' },
  admin: { zh: '管理员手册', en: 'For the admin' },
}
const ADMIN_PAGE = '/setModule/pages'
const LONGEST = 900

/** Pages of documents without a page of their own. */
const PLACE: Readonly<Record<string, string>> = { staff: '/home', finance: '/financial/ledger/entries', admin: ADMIN_PAGE }

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Sections of a Markdown document, and their paragraphs and items of lists. */
function paragraphsOf(markdown: string): { section: string; text: string }[] {
  const found: { section: string; text: string }[] = []
  let section = ''
  let lines: string[] = []
  const close = (): void => {
    const text = lines.join(' ').trim()
    if (text.length > 40 && !text.startsWith('|')) found.push({ section, text })
    lines = []
  }
  for (const line of markdown.split('\n')) {
    const heading = /^#{1,4}\s+(.*)/.exec(line)
    const begins = /^(- |\d+\. |\*\*)/.test(line)
    if (heading || line.trim() === '' || begins) close()
    if (heading) section = plain(heading[1] ?? '')
    else if (line.trim() !== '') lines.push(line.replace(/^- /, '').trim())
  }
  close()
  return found
}

function documentPassages(directory: string): Passage[] {
  return Object.entries(DOCUMENTS).flatMap(([document, name]) => {
    const paragraphs = paragraphsOf(readDocument(join(directory, `${document}.md`)))
    return paragraphs.map(({ section, text }): Passage => {
      const topic = TOPICS.find((one) => one.document === document && (text.includes(one.about) || section.startsWith(one.about)))
      const en = plain(text).slice(0, LONGEST)
      const path = topic?.path ?? PLACE[document] ?? '/home'
      return {
        ...{ kind: 'document', name, path, keys: document === 'admin' ? ['sys:schema:edit', 'setModule:pages', 'wf:admin'] : [] },
        section: { zh: topic?.title ?? section, en: section },
        text: { zh: topic?.text ?? en, en },
        texts: [
          { text: `${topic?.title ?? ''} ${section}`, weight: 3 },
          { text: topic?.words ?? '', weight: 4 },
          { text: topic?.text ?? '', weight: 1.5 },
          { text: en, weight: 1 },
        ],
      }
    })
  })
}

function readDocument(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // An installation may come without its documents: the help of pages and fields stands all the same.
    return ''
  }
}

/** What pages, fields and states say of themselves: made of the documents, so that it is never older than they are. */
function schemaPassages(schemas: SchemaRegistry): Passage[] {
  const routes = schemas.routes.routes.filter(({ page, path, redirect }) => page !== null && !redirect && !path.includes(':'))
  const entities = new Map<string, (typeof routes)[number]>()
  const pages = routes.flatMap((route): Passage[] => {
    const document = route.page === null ? undefined : schemas.page(route.page)?.document
    if (!document) return []
    const entity = 'entity' in document && typeof document.entity === 'string' ? document.entity : undefined
    if (entity !== undefined && document.kind === 'list' && !entities.has(entity)) entities.set(entity, route)
    const module = schemas.modules.find(({ name, segment }) => (segment ?? name) === route.module)
    const help = 'description' in document && isText(document.description) ? document.description : undefined
    const label = entity === undefined ? undefined : schemas.entity(entity)?.label
    return [
      {
        ...{ kind: 'page', name: route.title, path: route.path, keys: route.permission === undefined ? [] : [route.permission] },
        section: module?.title ?? route.title,
        text: {
          zh: `页面“${route.title.zh}”在${module ? `“${module.title.zh}”` : '门户'}中${label ? `，显示${label.zh}` : ''}。${help?.zh ?? ''}`,
          en: `The page “${route.title.en}” stands in ${module ? `“${module.title.en}”` : 'the portal'}${label ? ` and shows: ${label.en}` : ''}. ${help?.en ?? ''}`,
        },
        texts: [
          { text: `${route.title.zh} ${route.title.en}`, weight: 3 },
          { text: `${module?.title.zh ?? ''} ${module?.title.en ?? ''} 页面 page`, weight: 0.5 },
          { text: `${help?.zh ?? ''} ${help?.en ?? ''}`, weight: 1 },
        ],
      },
    ]
  })
  const parts = [...entities].flatMap(([name, route]) => {
    const entity = schemas.entity(name)
    return entity ? [...fieldPassages(entity, route), ...statePassages(entity, route, schemas)] : []
  })
  return [...pages, ...parts]
}

const isText = (value: unknown): value is BilingualText =>
  typeof value === 'object' && value !== null && 'zh' in value && 'en' in value

type Place = { path: string; permission?: string }
const placed = ({ path, permission }: Place) => ({ path, keys: permission === undefined ? [] : [permission] })

function fieldPassages(entity: EntityDocument, route: Place): Passage[] {
  return Object.values(entity.properties ?? {}).flatMap((field): Passage[] => {
    const help = field['x-help']
    const label = field['x-label']
    if (!isText(help) || !isText(label)) return []
    return [
      {
        ...{ kind: 'field', name: entity.label, section: label, ...placed(route) },
        text: { zh: `${entity.label.zh}的“${label.zh}”：${help.zh}。`, en: `“${label.en}” of ${entity.label.en}: ${help.en}.` },
        texts: [
          { text: `${label.zh} ${label.en}`, weight: 2 },
          { text: `${entity.label.zh} ${entity.label.en} 字段 field`, weight: 1 },
          { text: `${help.zh} ${help.en}`, weight: 1 },
        ],
      },
    ]
  })
}

function statePassages(entity: EntityDocument, route: Place, schemas: SchemaRegistry): Passage[] {
  return (entity['x-states'] ?? []).flatMap((machine): Passage[] => {
    const dictionary = entity.properties?.[machine.field]?.['x-dictionary']
    const items = (dictionary === undefined ? undefined : schemas.dictionary(dictionary))?.items ?? []
    if (items.length === 0) return []
    const labelOf = (code: string, locale: Locale): string => items.find((item) => item.code === code)?.label[locale] ?? code
    const steps = (locale: Locale): string =>
      machine.transitions
        .flatMap(({ label, from, to }) => {
          if (!label || typeof to !== 'string') return []
          const sources = (Array.isArray(from) ? from : []).map((code) => labelOf(code, locale)).join('/')
          return [
            `${label[locale]}${locale === 'zh' ? '：' : ': '}${sources === '' ? '' : `${sources} → `}${labelOf(to, locale)}`,
          ]
        })
        .slice(0, 14)
        .join(locale === 'zh' ? '；' : '; ')
    const states = (locale: Locale): string => items.map(({ label }) => label[locale]).join(locale === 'zh' ? '、' : ', ')
    return [
      {
        ...{ kind: 'state', name: entity.label, section: { zh: '状态', en: 'States' }, ...placed(route) },
        text: {
          zh: `${entity.label.zh}的状态有：${states('zh')}。步骤：${steps('zh')}。`,
          en: `${entity.label.en} has the states: ${states('en')}. Steps: ${steps('en')}.`,
        },
        texts: [
          { text: `${entity.label.zh}状态 ${entity.label.zh}有哪些状态 ${entity.label.en} states status steps`, weight: 2 },
          { text: `${states('zh')} ${states('en')} ${steps('zh')} ${steps('en')}`, weight: 0.5 },
        ],
      },
    ]
  })
}

export interface Found {
  passage: Passage
  score: number
  /** Which part of what was asked for the passage holds. */
  share: number
}

/** What the assistant knows of the portal: documents for staff, and what pages, fields and states say of themselves. */
export class Knowledge {
  private made: { revision: string; ranking: Ranking<Passage> } | undefined

  /** @param directory folder of the documents */
  constructor(
    private readonly schemas: SchemaRegistry,
    private readonly directory: string,
  ) {}

  private ranking(): Ranking<Passage> {
    const { revision } = this.schemas
    if (this.made?.revision !== revision)
      this.made = { revision, ranking: new Ranking([...documentPassages(this.directory), ...schemaPassages(this.schemas)]) }
    return this.made.ranking
  }

  /** Passages that fit a question, the best first: none of pages that the caller may not open. */
  search(context: RequestContext, question: string): Found[] {
    const where = /在哪|哪里|哪儿|\bwhere\b/i.test(question)
    const found = this.ranking().search(
      askedTerms(question),
      ({ keys }) => keys.length === 0 || keys.some((key) => can(context, key)),
    )
    const boosted = found.map(({ item, score, share }) => ({
      passage: item,
      score: score * BOOST[item.kind] * (item.kind === 'page' && where ? 1.6 : 1),
      share,
    }))
    return boosted.sort((a, b) => b.score - a.score).slice(0, 8)
  }
}

/** Documents explain, pages only are there. */
const BOOST = { document: 1.25, page: 1, field: 0.8, state: 0.9 } as const

/** A passage as a source of an answer. */
export function sourceOf({ name, section, text, path }: Passage, locale: Locale): KbDocument {
  return { document_name: name[locale], reference_url: path, section: section[locale], quote: text[locale].slice(0, 300) }
}
