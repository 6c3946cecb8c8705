import type { FastifyInstance } from 'fastify'
import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import type { EntityEngine } from '../../entities'
import type { Database } from '../../platform/database'
import { can, contextOf, ok, requirePermission, ServiceError, type RequestContext } from '../../platform/http'
import { staffName } from '../../staff'
import type { DictionaryBook } from './book'
import { changeWith, type ChangeTarget } from './change'
import { withAdded, withoutValue, withOrder, withRetired, withWords } from './edit'
import { mergeItems } from './merge'
import { countUsage, neededBy } from './usage'

const BASE = '/v2/sys/staff/sysDict'
const TAGS = ['dictionaries']
/** Dictionaries of these modules are set on a page of another module. */
const SETTINGS: Readonly<Record<string, string>> = { srm: 'purchase' }
const settingsOf = (module: string | undefined): string => {
  const name = module ?? 'sys'
  return Object.hasOwn(SETTINGS, name) ? (SETTINGS[name] ?? name) : name
}
/** The menu of the module's dictionary page. */
const viewKey = (module: string | undefined): string => `setModule:${settingsOf(module)}:dictionary`
const editKey = (module: string | undefined): string => `setModule:${settingsOf(module)}:edit`

const name = { type: 'string', minLength: 1, maxLength: 60 } as const
const code = { type: 'string', pattern: '^[A-Za-z0-9_./+-]{1,40}$' } as const
const version = { type: 'integer', minimum: 0 } as const
const word = { type: 'string', minLength: 1, maxLength: 40 } as const
const body = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const COLOR = {
  type: ['string', 'null'],
  pattern: '^(default|blue|cyan|green|gold|orange|red|purple|magenta|volcano|lime|geekblue)$',
}

interface DictionaryParts {
  database: Database
  engine: EntityEngine
  book: DictionaryBook
}

/** Calls of the dictionary pages: what a module's dictionaries hold, and their changes. */
export function serveDictionaries(app: FastifyInstance, { database, engine, book }: DictionaryParts): void {
  const documentOf = (dictionary: string, context: RequestContext, write: boolean): DictionaryDocument => {
    const document = book.released(dictionary)
    if (!document) throw new ServiceError('notFound')
    requirePermission(context, viewKey(document.module))
    if (write) requirePermission(context, editKey(document.module))
    if (write && document.editable !== true)
      throw new ServiceError('limitRefused', {
        message: {
          zh: `程序依赖字典“${document.label.zh}”的值，不能修改。`,
          en: `The portal itself depends on the values of "${document.label.en}"; they cannot be changed.`,
        },
        data: { reason: 'fixed' },
      })
    return document
  }
  const summary = (document: DictionaryDocument) => {
    const changes = book.changes(document.name)
    const items = mergeItems(document.items, changes)
    return {
      name: document.name,
      module: document.module ?? null,
      label: document.label,
      editable: document.editable === true,
      values: items.length,
      retired: items.filter(({ retired }) => retired).length,
      changed: items.filter((item) => item.changed || item.origin !== 'released').length,
      version: changes.version,
    }
  }

  const change = changeWith({ engine, book, documentOf })

  app.post<{ Body: { module?: string; keyword?: string; pageNo?: number; pageSize?: number } }>(
    `${BASE}/pageSysDict`,
    {
      schema: {
        tags: TAGS,
        summary: 'Dictionaries of a module that the caller may look at',
        body: body(
          {
            module: name,
            keyword: { type: 'string', maxLength: 100 },
            pageNo: { type: 'integer', minimum: 1 },
            pageSize: { type: 'integer', minimum: 1, maximum: 500 },
          },
          [],
        ),
      },
    },
    (request) => {
      const context = contextOf(request)
      const { module, keyword = '', pageNo = 1, pageSize = 200 } = request.body
      if (module !== undefined) requirePermission(context, viewKey(module))
      const wanted = keyword.trim().toLowerCase()
      const found = book.registry.dictionaries
        .filter((one) => (module === undefined ? can(context, viewKey(one.module)) : one.module === module))
        .filter((one) => wanted === '' || wordsOf(one).some((text) => text.toLowerCase().includes(wanted)))
        .map((one) => summary(book.released(one.name) ?? one))
        .sort(
          (a, b) =>
            Number(b.editable) - Number(a.editable) ||
            a.label[context.locale].localeCompare(b.label[context.locale], context.locale),
        )
      return ok({ records: found.slice((pageNo - 1) * pageSize, pageNo * pageSize), total: found.length, pageNo, pageSize })
    },
  )

  const byName = { querystring: body({ dictionary: name }, ['dictionary']) }
  app.get<{ Querystring: { dictionary: string } }>(
    `${BASE}/values`,
    { schema: { tags: TAGS, summary: 'The values of a dictionary in their order', ...byName } },
    (request) => {
      const context = contextOf(request)
      const document = documentOf(request.query.dictionary, context, false)
      return ok({
        ...summary(document),
        mayEdit: document.editable === true && can(context, editKey(document.module)),
        items: mergeItems(document.items, book.changes(document.name)).map((item) => ({
          code: item.code,
          label: item.label,
          color: item.color ?? null,
          retired: item.retired === true,
          fixed: item.fixed === true,
          origin: item.origin,
          changed: item.changed,
          released: document.items.find((each) => each.code === item.code)?.label ?? null,
        })),
      })
    },
  )

  app.get<{ Querystring: { dictionary: string } }>(
    `${BASE}/usage`,
    { schema: { tags: TAGS, summary: 'How many rows hold each value of a dictionary, and where', ...byName } },
    async (request) => {
      const document = documentOf(request.query.dictionary, contextOf(request), false)
      const fields = book.fieldsOf(document.name)
      const used = await countUsage(database, fields)
      return ok({
        fields: fields.map(({ model, field }) => ({
          zh: `${model.label.zh} · ${field.label.zh}`,
          en: `${model.label.en} · ${field.label.en}`,
        })),
        used: Object.fromEntries(used),
      })
    },
  )

  app.get<{ Querystring: { dictionary: string } }>(
    `${BASE}/log`,
    { schema: { tags: TAGS, summary: 'Who changed a dictionary, the newest first', ...byName } },
    async (request) => {
      const context = contextOf(request)
      const document = documentOf(request.query.dictionary, context, false)
      const { rows } = await database.query(
        `select a.id, a.at, coalesce((${staffName('s')}) ->> $2, '') as by, a.action, a.changes from sys_audit_log a
         left join sys_staff s on s.id = a.staff_id where a.entity = 'sys.dictionary' and a.record_id = $1 and a.deleted_at is null order by a.at desc, a.id desc limit 100`,
        [document.name, context.locale],
      )
      return ok({ records: rows })
    },
  )

  app.post<{ Body: ChangeTarget & { code: string; zh: string; en: string; color?: string | null; create?: boolean } }>(
    `${BASE}/saveOrUpdateSysDict`,
    {
      schema: {
        tags: TAGS,
        summary: 'Adds a value (create) or changes its words and colour',
        body: body({ dictionary: name, version, code, zh: word, en: word, color: COLOR, create: { type: 'boolean' } }, [
          'dictionary',
          'version',
          'code',
          'zh',
          'en',
        ]),
      },
    },
    (request) => {
      const context = contextOf(request)
      const { code: which, zh, en, color, create } = request.body
      const value = { code: which, label: { zh: zh.trim(), en: en.trim() }, color: color === 'default' ? null : (color ?? null) }
      return change(
        context,
        request.body,
        (document, changes) => (create ? withAdded : withWords)(document, changes, value, context.locale),
        create ? 'create' : 'update',
      )
    },
  )

  app.post<{ Body: ChangeTarget & { code: string; retired: boolean } }>(
    `${BASE}/retire`,
    {
      schema: {
        tags: TAGS,
        summary: 'Retires a value (kept by old rows, no longer offered) or offers it again',
        body: body({ dictionary: name, version, code, retired: { type: 'boolean' } }, [
          'dictionary',
          'version',
          'code',
          'retired',
        ]),
      },
    },
    (request) => {
      const { code: which, retired, dictionary } = request.body
      return change(contextOf(request), request.body, (document, changes) =>
        withRetired(document, changes, { code: which, retired, neededBy: neededBy(book.fieldsOf(dictionary), which) }),
      )
    },
  )

  app.post<{ Body: ChangeTarget & { code: string } }>(
    `${BASE}/remove`,
    {
      schema: {
        tags: TAGS,
        summary: 'Removes a value that was added here and that no row holds',
        body: body({ dictionary: name, version, code }, ['dictionary', 'version', 'code']),
      },
    },
    (request) => {
      const { code: which, dictionary } = request.body
      return change(
        contextOf(request),
        request.body,
        async (document, changes, tx) =>
          withoutValue(document, changes, which, (await countUsage(tx, book.fieldsOf(dictionary), [which])).get(which) ?? []),
        'delete',
      )
    },
  )

  app.post<{ Body: ChangeTarget & { codes: string[] } }>(
    `${BASE}/order`,
    {
      schema: {
        tags: TAGS,
        summary: 'Puts the values of a dictionary into another order',
        body: body({ dictionary: name, version, codes: { type: 'array', items: code, maxItems: 500 } }, [
          'dictionary',
          'version',
          'codes',
        ]),
      },
    },
    (request) => {
      const context = contextOf(request)
      return change(context, request.body, (document, changes) =>
        withOrder(document, changes, request.body.codes, context.locale),
      )
    },
  )
}

const wordsOf = ({ name: own, label, items }: DictionaryDocument): string[] => [
  own,
  label.zh,
  label.en,
  ...items.flatMap((item) => [item.code, item.label.zh, item.label.en]),
]
