import type { AggregateRequest, QuerySort, QueryWhere } from '../../../../src/schema/model'
import type { QueryPageRequest } from '../../../entities'
import { can, ServiceError, type RequestContext } from '../../../platform/http'
import type { ModuleParts } from '../../module'
import type { Voice } from '../events'
import { sourceOf, type Knowledge } from '../help/knowledge'

const MOST_ROWS = 50

/** What a tool takes, as an endpoint is told it. */
interface Tool {
  description: string
  parameters: Readonly<Record<string, object>>
  required: readonly string[]
}
const text = { type: 'string' } as const
const where = {
  type: 'array',
  description:
    'Conditions that all hold: { field, operator (eq ne contains in notIn gte lte between empty notEmpty), value }. Days are YYYY-MM-DD.',
  items: { type: 'object' },
}
const TOOLS: Readonly<Record<string, Tool>> = {
  describe: {
    description: 'Fields of an entity with their kinds and labels.',
    parameters: { entity: text },
    required: ['entity'],
  },
  query: {
    description: 'Rows of an entity, at most 50, with their total.',
    parameters: {
      entity: text,
      where,
      keyword: text,
      sort: { type: 'array', items: { type: 'object' } },
      limit: { type: 'integer', maximum: MOST_ROWS },
    },
    required: ['entity'],
  },
  aggregate: {
    description:
      'Figures by group. measures: [{ id, count: true | sum | avg | min | max: field, currency?: "convert:USD" }]; dimensions: [{ field, bucket?: day week month quarter year }]; compare: previousPeriod or previousYear.',
    parameters: {
      ...{
        entity: text,
        where,
        dimensions: { type: 'array', items: { type: 'object' } },
        measures: { type: 'array', items: { type: 'object' } },
      },
      ...{ sort: { type: 'array', items: { type: 'object' } }, limit: { type: 'integer' }, compare: text, compareBy: text },
    },
    required: ['entity', 'measures'],
  },
  record: {
    description: 'One record by its name or code.',
    parameters: { entity: text, name: text },
    required: ['entity', 'name'],
  },
  open: { description: 'The address of a page of the portal by its title.', parameters: { page: text }, required: ['page'] },
  help: {
    description: 'What documents say about how something is done in the portal.',
    parameters: { topic: text },
    required: ['topic'],
  },
}

/** The tools as an OpenAI-compatible endpoint takes them. */
export const TOOL_LIST = Object.entries(TOOLS).map(([name, { description, parameters, required }]) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: parameters, required } },
}))

type Given = Readonly<Record<string, unknown>>
const textOf = (given: Given, name: string): string => (typeof given[name] === 'string' ? given[name] : '')
const listOf = <Item>(given: Given, name: string): Item[] => (Array.isArray(given[name]) ? (given[name] as Item[]) : [])

/** Does what a model asks for, in the caller's name: with his rights, row scope, field rules and masks; nothing is changed. */
export class Tools {
  constructor(
    private readonly parts: Pick<ModuleParts, 'engine' | 'schemas'>,
    private readonly knowledge: Knowledge,
    private readonly context: RequestContext,
    private readonly voice: Voice,
  ) {}

  /** Answers JSON; what is refused or wrong is said in it, so that the model may do better. */
  async call(name: string, given: Given): Promise<string> {
    const began = performance.now()
    const done = (rows: number, refused: boolean): void =>
      this.voice.called({
        tool: name,
        title: textOf(given, 'entity') || name,
        rows,
        ms: Math.round(performance.now() - began),
        refused,
      })
    try {
      const { answer, rows } = await this.run(name, given)
      done(rows, false)
      return JSON.stringify(answer)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      done(0, error.reason === 'noPermission')
      return JSON.stringify({ error: error.messageIn(this.context.locale), details: error.data })
    }
  }

  private async run(name: string, given: Given): Promise<{ answer: unknown; rows: number }> {
    const { engine, schemas } = this.parts
    const { context } = this
    if (name === 'help') {
      const found = this.knowledge.search(context, textOf(given, 'topic')).slice(0, 3)
      this.voice.cite(found.map(({ passage }) => sourceOf(passage, context.locale)))
      return {
        answer: found.map(({ passage }) => ({ text: passage.text[context.locale], page: passage.path })),
        rows: found.length,
      }
    }
    if (name === 'open') {
      const asked = textOf(given, 'page').toLowerCase()
      const routes = schemas.routes.routes.filter(
        ({ title, permission, page }) =>
          page !== null &&
          (permission === undefined || can(context, permission)) &&
          `${title.zh} ${title.en}`.toLowerCase().includes(asked),
      )
      for (const { title, path } of routes.slice(0, 1)) this.voice.show({ kind: 'link', label: title[context.locale], path })
      return {
        answer: routes.slice(0, 5).map(({ title, path }) => ({ title: title[context.locale], path })),
        rows: routes.length,
      }
    }
    const entity = textOf(given, 'entity')
    if (!engine.names().includes(entity) || entity.startsWith('ai.')) {
      const near = engine
        .names()
        .filter((one) => one.toLowerCase().includes(entity.split('.').at(-1)?.toLowerCase() ?? ''))
        .slice(0, 5)
      throw wrong(`There is no entity ${entity}. ${near.length > 0 ? `Did you mean ${near.join(', ')}?` : ''}`)
    }
    if (name === 'describe') {
      const fields = [...engine.model(entity).fields.values()].filter(
        ({ internal, name: field }) => !internal && engine.readable(context, `${entity}.${field}`),
      )
      return {
        answer: fields.map(({ name: field, kind, label }) => ({ field, kind, label: label[context.locale] })),
        rows: fields.length,
      }
    }
    if (name === 'query' || name === 'record') {
      const limit = Math.min(MOST_ROWS, Number(given['limit'] ?? 20) || 20)
      const keyword = name === 'record' ? textOf(given, 'name') : textOf(given, 'keyword')
      const request: QueryPageRequest = {
        ...{ where: listOf<QueryWhere>(given, 'where'), pageSize: name === 'record' ? 3 : limit },
        ...(keyword === '' ? {} : { keyword }),
        ...(listOf(given, 'sort').length > 0 ? { sort: listOf<QuerySort>(given, 'sort') } : {}),
      }
      const { records, total, refs } = await engine.queryPage(entity, context, request)
      return { answer: { total, records, refs }, rows: records.length }
    }
    if (name === 'aggregate') {
      const { entity: _entity, ...request } = given
      const answer = await engine.aggregate(entity, context, {
        ...(request as unknown as AggregateRequest),
        limit: Math.min(MOST_ROWS, Number(given['limit'] ?? 20) || 20),
        totals: true,
      })
      return { answer, rows: answer.rows.length }
    }
    throw wrong(`There is no tool ${name}.`)
  }
}

const wrong = (en: string): ServiceError => new ServiceError('badRequest', { message: { zh: en, en } })
