import type { FastifyInstance } from 'fastify'
import type { PageDocument } from '../../../../src/schema/generated/page'
import { newId } from '../../../platform/database'
import { contextOf, ok, ServiceError, type Locale } from '../../../platform/http'
import { maskedReport } from '../../../platform/jobs'
import { dayOf } from '../rules/companyDay'
import type { CrmRuleKey } from '../rules/ruleSets'
import { ruleBook } from '../services/rules'
import { holdingsOf } from '../services/holdings'
import { refreshDeadlines } from '../jobs/recycle/refresh'
import { requireBench } from './benches'
import { inForce, readRules, requireParams, type ReadyRule } from './book'
import { withDepartmentNames } from './departmentNames'
import { changedOnly, diffParams } from './diff'
import { effectOf, type EffectPlace } from './effects'
import { addVersion, overridesOf, versionsOf } from './store'
import { templateInCodes, templateInWords } from './templateDefaults'

const KEY = 'crm:param:manage'
const TAGS = ['crm']
type Params = Record<string, unknown>

export interface RuleRoutesOptions extends Omit<EffectPlace, 'now'> {
  page: (name: string) => PageDocument | undefined
}

interface SaveBody {
  params: Params
  reason: string
  effectiveFrom?: string
  /** Number of the version that the form showed. */
  basedOn: number
}
interface OverrideBody {
  targetType: 'staff' | 'department' | 'level' | 'country'
  targetId: string
  params: Params
  until?: string
  reason: string
}
const REASON = { type: 'string', minLength: 2, maxLength: 200 }
const PARAMS = { type: 'object', additionalProperties: true }

/** Calls of the rule settings: read, preview the effect, save a version, exceptions, test benches. */
export function registerRuleRoutes(app: FastifyInstance, { page, engine, database, timeZone }: RuleRoutesOptions): void {
  const rules = readRules(page)
  const ruleOf = (key: string): ReadyRule => {
    const rule = rules.get(key)
    if (!rule) throw new ServiceError('notFound')
    return rule
  }
  const renew = async (key: CrmRuleKey, now: Date): Promise<void> => {
    if (key !== 'crm.sea') return
    const book = await ruleBook(database, 'crm.sea', now)
    await refreshDeadlines(database, {
      today: dayOf(now, timeZone),
      timeZone,
      holdings: holdingsOf((entity) => engine.names().includes(entity)),
      book,
    })
  }
  const checked = (rule: ReadyRule, given: unknown, locale: Locale, partial = false): Params => {
    const params = requireParams(rule, given, locale, partial)
    return rule.key === 'crm.template' && 'fields' in params ? templateInCodes(engine, params, locale) : params
  }
  const inWords = (rule: ReadyRule, params: Params, locale: Locale): Params =>
    rule.key === 'crm.template' && 'fields' in params ? templateInWords(engine, params, locale) : params
  const changes = (rule: ReadyRule, before: Params, after: Params, locale: Locale) =>
    withDepartmentNames(database, diffParams(inWords(rule, before, locale), inWords(rule, after, locale), rule.names))
  const route = (summary: string, body?: object) => ({
    config: { permission: KEY },
    schema: { tags: TAGS, summary, ...(body ? { body } : {}) },
  })

  app.get<{ Params: { key: string } }>(
    '/v2/sys/rule/read/:key',
    route('A rule: the parameters in force, its versions with what each changed, its exceptions'),
    async (request) => {
      const { now, locale } = contextOf(request)
      const rule = ruleOf(request.params.key)
      const versions = await versionsOf(database, rule.key, locale)
      const current = versions.filter((one) => Date.parse(one.effectiveFrom) <= now.getTime()).sort(latestFirst)[0]
      return ok({
        key: rule.key,
        title: rule.title,
        bench: rule.bench ?? null,
        page: rule.page,
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
          (await overridesOf(database, rule.key, locale)).map(async (one) => ({
            ...one,
            diff: await changes(rule, {}, one.params, locale),
            ended: one.until !== null && one.until < dayOf(now, timeZone),
          })),
        ),
      })
    },
  )

  app.post<{ Params: { key: string }; Body: Params }>(
    '/v2/sys/rule/preview/:key',
    route('What parameters would change and what that would do, before anything is saved', PARAMS),
    async (request) => {
      const context = contextOf(request)
      const { now, locale } = context
      const rule = ruleOf(request.params.key)
      const params = checked(rule, request.body, locale)
      const effect = await effectOf(rule.key, params, { engine, database, timeZone, now })
      const { set } = await ruleBook(database, rule.key, now)
      return ok({
        params,
        diff: await changes(rule, inForce(rule, set), inForce(rule, params), locale),
        effect: effect && maskedReport(effect, (field) => engine.readable(context, field)),
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
      const context = contextOf(request)
      const rule = ruleOf(request.params.key)
      const { reason, basedOn, effectiveFrom } = request.body
      const params = checked(rule, request.body.params, context.locale)
      const from = new Date(Math.max(Date.parse(effectiveFrom ?? context.now.toISOString()), context.now.getTime()))
      const versionNo = await database.transaction(async (tx) => {
        await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`rule ${rule.key}`])
        const [newest] = await versionsOf(tx, rule.key, context.locale)
        if ((newest?.versionNo ?? 0) !== basedOn) throw staleRule(newest?.versionNo ?? 0, newest?.byName ?? null)
        await addVersion(tx, context, {
          key: rule.key,
          versionNo: basedOn + 1,
          params,
          reason: reason.trim(),
          effectiveFrom: from.toISOString(),
        })
        return basedOn + 1
      })
      if (from.getTime() <= context.now.getTime()) await renew(rule.key, context.now)
      return ok({ versionNo })
    },
  )

  app.post<{ Params: { key: string }; Body: OverrideBody }>(
    '/v2/sys/rule/override/:key',
    route('Sets an exception for a person, a department, a level or a country; one a target', {
      type: 'object',
      properties: {
        targetType: { type: 'string', enum: ['staff', 'department', 'level', 'country'] },
        targetId: { type: 'string', minLength: 1, maxLength: 40 },
        params: PARAMS,
        until: { type: 'string', format: 'date' },
        reason: REASON,
      },
      required: ['targetType', 'targetId', 'params', 'reason'],
      additionalProperties: false,
    }),
    async (request) => {
      const { now, user, locale } = contextOf(request)
      const rule = ruleOf(request.params.key)
      const { targetType, targetId, params, until, reason } = request.body
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
      await database.transaction(async (tx) => {
        await tx.query(
          `update sys_rule_override set deleted_at = $4 where rule_key = $1 and target_type = $2 and target_id = $3 and deleted_at is null`,
          [rule.key, targetType, targetId, now.toISOString()],
        )
        await tx.query(
          `insert into sys_rule_override (id, rule_key, target_type, target_id, params, until, reason, created_at, created_by, updated_at, updated_by, version)
           values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $8, $9, 1)`,
          [
            newId(),
            rule.key,
            targetType,
            targetId,
            JSON.stringify(part),
            until ?? null,
            reason.trim(),
            now.toISOString(),
            user.staffId,
          ],
        )
      })
      await renew(rule.key, now)
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
      const { now, user } = contextOf(request)
      const rule = ruleOf(request.params.key)
      const { rowCount } = await database.query(
        `update sys_rule_override set deleted_at = $3, updated_at = $3, updated_by = $4 where id = $1 and rule_key = $2 and deleted_at is null`,
        [request.body.id, rule.key, now.toISOString(), user.staffId],
      )
      if (rowCount === 0) throw new ServiceError('notFound')
      await renew(rule.key, now)
      return ok({ id: request.body.id })
    },
  )

  app.post<{ Params: { key: string }; Body: Params }>(
    '/v2/sys/rule/bench/:key',
    route('Tries a rule on an example; nothing is saved', PARAMS),
    async (request) => {
      const context = contextOf(request)
      const bench = requireBench(ruleOf(request.params.key).key)
      return ok(await bench(request.body, { db: database, engine, context }))
    },
  )
}

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
