import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RuleTypes } from '../../src/schema/generated/ruleSets'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import type { PageDocument } from '../../src/schema/generated/page'
import type { EntityEngine } from '../entities'
import { dayOf } from '../platform/calendar'
import type { Database } from '../platform/database'
import { contextOf, ok, requirePermission, ServiceError, type Locale, type RequestContext, type Text } from '../platform/http'
import { maskedReport, type JobReport } from '../platform/jobs'
import { kindsOf, ruleBook, type RuleKey } from './book'
import { inCodes, inWords } from './chosenValues'
import { changedOnly, diffParams, withDepartmentNames } from './diff'
import { inForce, readRules, requireParams, type Params, type ReadyRule } from './forms'
import { addVersion, endOverride, overridesOf, setOverride, versionsOf } from './store'

/** What a rule test answers: a verdict and the facts behind it. */
export interface RuleTestAnswer {
  verdict: Text
  tone: 'success' | 'warning' | 'error'
  lines: { label: Text; value: string | Text }[]
}

/** What code adds to a rule set. */
export interface RuleCode<K extends RuleKey> {
  /** What proposed parameters would do to what stands already. */
  effect?(params: RuleTypes[K], call: { now: Date }): Promise<JobReport>
  /** Tries the rule on an example; nothing is saved. */
  test?(input: Readonly<Params>, context: RequestContext): Promise<RuleTestAnswer>
}
/** By the key of the rule set. */
export type RuleCodes = { readonly [K in RuleKey]?: RuleCode<K> }

export interface RuleRoutesOptions {
  page: (name: string) => PageDocument | undefined
  dictionary: (name: string) => DictionaryDocument | undefined
  engine: EntityEngine
  database: Database
  timeZone: string
  codes: RuleCodes
}

interface SaveBody {
  params: Params
  reason: string
  effectiveFrom?: string
  /** Number of the version that the form showed. */
  basedOn: number
}
interface OverrideBody {
  targetType: string
  targetId: string
  params: Params
  until?: string
  reason: string
}
type OfRule<Body = unknown> = FastifyRequest<{ Params: { key: string }; Body: Body }>
const REASON = { type: 'string', minLength: 2, maxLength: 200 }
const PARAMS = { type: 'object', additionalProperties: true }

/** Calls of the rule sets: read, preview the effect, save a version, exceptions, rule tests. */
export function registerRuleRoutes(app: FastifyInstance, options: RuleRoutesOptions): void {
  const { page, dictionary, engine, database, timeZone, codes } = options
  const rules = readRules(page, dictionary)
  /** @throws ServiceError 10010003 for whoever may not set it */
  const asked = (request: OfRule): { rule: ReadyRule; context: RequestContext; code: RuleCode<RuleKey> } => {
    const rule = rules.get(request.params.key)
    if (!rule) throw new ServiceError('notFound')
    const context = contextOf(request)
    requirePermission(context, rule.permission)
    return { rule, context, code: (codes[rule.key] ?? {}) as RuleCode<RuleKey> }
  }
  const checked = (rule: ReadyRule, given: unknown, locale: Locale, partial = false): Params =>
    inCodes(engine, rule, requireParams(rule, given, locale, partial), locale)
  const changes = (rule: ReadyRule, before: Params, after: Params, locale: Locale) =>
    withDepartmentNames(
      database,
      diffParams(inWords(engine, rule, before, locale), inWords(engine, rule, after, locale), rule.names),
    )
  const route = (summary: string, body?: object) => ({ schema: { tags: ['rules'], summary, ...(body ? { body } : {}) } })

  app.get<{ Params: { key: string } }>(
    '/v2/sys/rule/read/:key',
    route('A rule: the parameters in force, its versions with what each changed, its exceptions'),
    async (request) => {
      const { rule, context } = asked(request)
      const { now, locale } = context
      const versions = await versionsOf(database, rule.key, locale)
      const current = versions.filter((one) => Date.parse(one.effectiveFrom) <= now.getTime()).sort(latestFirst)[0]
      const subjects = subjectsOf(dictionary, rule)
      const overrides = await overridesOf(database, rule.key, locale)
      return ok({
        key: rule.key,
        title: rule.title,
        test: rule.test ?? null,
        page: rule.page,
        subjects,
        params: inForce(rule, current?.params),
        current: current?.versionNo ?? 0,
        newest: versions[0]?.versionNo ?? 0,
        versions: await Promise.all(
          versions.map(async (one, index) => ({
            ...one,
            state: one.id === current?.id ? 'current' : Date.parse(one.effectiveFrom) > now.getTime() ? 'future' : 'past',
            diff: await changes(rule, inForce(rule, versions[index + 1]?.params), inForce(rule, one.params), locale),
          })),
        ),
        overrides: await Promise.all(
          overrides.map(async (one) => {
            const choices = subjects.find(({ id }) => id === one.targetType)?.choices
            return {
              ...one,
              target: choices?.find(({ value }) => value === one.targetId)?.label[locale] ?? one.target,
              diff: await changes(rule, {}, one.params, locale),
              ended: one.until !== null && one.until < dayOf(now, timeZone),
            }
          }),
        ),
      })
    },
  )

  app.post<{ Params: { key: string }; Body: Params }>(
    '/v2/sys/rule/preview/:key',
    route('What parameters would change and what that would do, before anything is saved', PARAMS),
    async (request) => {
      const { rule, context, code } = asked(request)
      const { now, locale } = context
      const params = checked(rule, request.body, locale)
      const effect = await code.effect?.(inForce(rule, params) as never, { now })
      const { set } = await ruleBook(database, rule.key, now)
      return ok({
        params,
        diff: await changes(rule, inForce(rule, set), inForce(rule, params), locale),
        effect: effect ? maskedReport(effect, (field) => engine.readable(context, field)) : null,
      })
    },
  )

  app.post<{ Params: { key: string }; Body: SaveBody }>(
    '/v2/sys/rule/save/:key',
    route('Saves a new version; going back is a new version with old parameters', {
      type: 'object',
      properties: {
        params: PARAMS,
        reason: REASON,
        effectiveFrom: { type: 'string', format: 'date-time' },
        basedOn: { type: 'integer', minimum: 0 },
      },
      required: ['params', 'reason', 'basedOn'],
      additionalProperties: false,
    }),
    async (request) => {
      const { rule, context } = asked(request)
      const { reason, basedOn, effectiveFrom } = request.body
      const params = checked(rule, request.body.params, context.locale)
      const from = new Date(Math.max(Date.parse(effectiveFrom ?? context.now.toISOString()), context.now.getTime()))
      const versionNo = basedOn + 1
      await database.transaction(async (tx) => {
        await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`rule ${rule.key}`])
        const [newest] = await versionsOf(tx, rule.key, context.locale)
        if ((newest?.versionNo ?? 0) !== basedOn) throw staleRule(newest?.versionNo ?? 0, newest?.byName ?? null)
        const version = { key: rule.key, versionNo, params, reason: reason.trim(), effectiveFrom: from.toISOString() }
        await addVersion(tx, context, version)
      })
      if (from.getTime() <= context.now.getTime()) await engine.renew(rule.key, context.now)
      return ok({ versionNo })
    },
  )

  app.post<{ Params: { key: string }; Body: OverrideBody }>(
    '/v2/sys/rule/override/:key',
    route('Sets an exception for a person, a department, a country or another subject of the rule; one a target', {
      type: 'object',
      properties: {
        targetType: { type: 'string', maxLength: 12 },
        targetId: { type: 'string', minLength: 1, maxLength: 40 },
        params: PARAMS,
        until: { type: 'string', format: 'date' },
        reason: REASON,
      },
      required: ['targetType', 'targetId', 'params', 'reason'],
      additionalProperties: false,
    }),
    async (request) => {
      const { rule, context } = asked(request)
      const { now, locale } = context
      const { targetType, targetId, params, until, reason } = request.body
      if (!kindsOf(rule.key).includes(targetType)) throw new ServiceError('badRequest')
      const { set } = await ruleBook(database, rule.key, now)
      const part = checked(rule, changedOnly(inForce(rule, set), params), locale, true)
      if (Object.keys(part).length === 0)
        throw new ServiceError('validationFailed', {
          message: {
            zh: '例外与规则相同，没有可以保存的内容。',
            en: 'The exception says the same as the rule: there is nothing to save.',
          },
          data: { errors: [] },
        })
      const override = { key: rule.key, targetType, targetId, params: part, until, reason: reason.trim() }
      await database.transaction((tx) => setOverride(tx, context, override))
      await engine.renew(rule.key, now)
      return ok({ params: part })
    },
  )

  app.post<{ Params: { key: string }; Body: { id: string } }>(
    '/v2/sys/rule/endOverride/:key',
    route('Ends an exception', {
      type: 'object',
      properties: { id: { type: 'string', maxLength: 40 } },
      required: ['id'],
      additionalProperties: false,
    }),
    async (request) => {
      const { rule, context } = asked(request)
      const { id } = request.body
      if (!(await endOverride(database, context, rule.key, id))) throw new ServiceError('notFound')
      await engine.renew(rule.key, context.now)
      return ok({ id })
    },
  )

  app.post<{ Params: { key: string }; Body: Params }>(
    '/v2/sys/rule/test/:key',
    route('Tries a rule on an example; nothing is saved', PARAMS),
    async (request) => {
      const { context, code } = asked(request)
      if (!code.test) throw new ServiceError('notFound')
      return ok(await code.test(request.body, context))
    },
  )
}

/** For whom there may be exceptions, with the values that may be chosen where a dictionary has them. */
const subjectsOf = (
  dictionary: RuleRoutesOptions['dictionary'],
  { subjects }: ReadyRule,
): { id: string; label?: Text; choices?: { value: string; label: Text }[] }[] =>
  subjects.map((subject) => {
    if (typeof subject === 'string') return { id: subject }
    const { label, items = [] } = dictionary(subject.dictionary) ?? {}
    const choices = items.flatMap(({ code, label, retired }) => (retired ? [] : [{ value: code, label }]))
    return { id: subject.id, ...(label ? { label } : {}), choices }
  })

const latestFirst = (a: { effectiveFrom: string; versionNo: number }, b: { effectiveFrom: string; versionNo: number }): number =>
  Date.parse(b.effectiveFrom) - Date.parse(a.effectiveFrom) || b.versionNo - a.versionNo

const staleRule = (version: number, by: string | null): ServiceError =>
  new ServiceError('stale', {
    message: {
      zh: `规则已被${by ?? '他人'}改为第 ${version} 版，请刷新后再改。`,
      en: `${by ?? 'Somebody'} has saved version ${version} in between. Reload and change it again.`,
    },
    data: { version, changes: [], by, at: null },
  })
