import { newId, type Executor, type Transaction } from '../database'
import { ServiceError, type RequestContext } from '../http'
import type { JobDefinition, JobParameter, JobValue, JobValues } from './types'

/** The parameters of a job that hold at a moment. */
export async function valuesOf(db: Executor, { name, parameters = {} }: JobDefinition, now: Date): Promise<JobValues> {
  const defaults = Object.fromEntries(Object.entries(parameters).map(([id, parameter]) => [id, parameter.default]))
  if (Object.keys(defaults).length === 0) return defaults
  const { rows } = await db.query<{ params: JobValues }>(
    `select params from sys_rule_set where key = $1 and effective_from <= $2 and deleted_at is null order by version_no desc limit 1`,
    [name, now.toISOString()],
  )
  // a job that was changed since keeps what is still one of its parameters
  const set = Object.entries(rows[0]?.params ?? {}).filter(([id, value]) => parameters[id] && !faultOf(parameters[id], value))
  return { ...defaults, ...Object.fromEntries(set) }
}

/** Sets all parameters of a job from now on. @throws ServiceError 10010005 naming every wrong one */
export async function setValues(
  tx: Transaction,
  { now, user, locale }: RequestContext,
  { name, parameters = {} }: JobDefinition,
  { values, reason }: { values: Readonly<Record<string, unknown>>; reason: string },
): Promise<void> {
  const errors = [...new Set([...Object.keys(parameters), ...Object.keys(values)])].flatMap((id) => {
    const parameter = parameters[id]
    const fault = parameter ? faultOf(parameter, values[id]) : { zh: '没有这个参数', en: 'is not a parameter' }
    const { zh, en } = parameter?.title ?? { zh: id, en: id }
    const message = fault && { zh: `${zh}${fault.zh}。`, en: `${en} ${fault.en}.` }[locale]
    return message ? [{ field: id, message, rule: 'params' }] : []
  })
  if (errors.length > 0) throw new ServiceError('validationFailed', { data: { errors } })
  await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [`job ${name}`])
  const at = now.toISOString()
  await tx.query(
    `insert into sys_rule_set (id, key, version_no, params, effective_from, changed_by, change_reason, created_at, created_by, updated_at, updated_by, version)
     select $1, $2, coalesce(max(version_no), 0) + 1, $3::jsonb, $4, $5, $6, $4, $5, $4, $5, 1 from sys_rule_set where key = $2`,
    [newId(), name, JSON.stringify(values), at, user.staffId, reason.trim()],
  )
}

function faultOf({ default: like, minimum, maximum }: JobParameter, value: unknown): { zh: string; en: string } | undefined {
  if (!isLike(like, value)) return { zh: '不正确', en: 'is wrong' }
  if (typeof value !== 'number') return undefined
  if (minimum !== undefined && value < minimum) return { zh: `不得小于 ${minimum}`, en: `must be at least ${minimum}` }
  if (maximum !== undefined && value > maximum) return { zh: `不得大于 ${maximum}`, en: `must be at most ${maximum}` }
  return undefined
}

const isLike = (like: JobValue, value: unknown): value is JobValue =>
  typeof value === typeof like &&
  (typeof value !== 'number' || (Number.isFinite(value) && (Number.isInteger(value) || !Number.isInteger(like)))) &&
  (typeof value !== 'string' || value.length <= 500)
