import { newId, type Transaction } from '../../platform/database'
import type { Entities } from '../../entities'
import { ServiceError, ok, systemContext, type RequestContext } from '../../platform/http'
import { oneTimePassword } from '../oneTimePassword'
import { COLUMNS, type AccessParts, type AccessRequest, type AccessRequests } from './requests'
import { KINDS, type AccessKind } from './words'

/** Seconds in which a one-time password has to be used. */
const ONE_TIME_SECONDS = 24 * 3600

/** A one-time password, for the eyes of whoever may all that its owner may. */
interface ToldPassword {
  password: string
  /** ISO 8601. */
  expiresAt: string
}

/** Sets a one-time password, ends all sessions of the person and writes it into the log. */
export async function resetPassword(
  { sessions }: AccessParts,
  tx: Transaction,
  entities: Entities,
  context: RequestContext,
  staffId: string,
): Promise<ToldPassword> {
  const password = oneTimePassword()
  const expiresAt = new Date(context.now.getTime() + ONE_TIME_SECONDS * 1000)
  await sessions.setPassword(tx, [staffId], password, expiresAt)
  await sessions.endSessions(staffId, 'passwordReset', tx)
  await audit(entities, context, staffId, KINDS.reset[context.locale])
  return { password, expiresAt: expiresAt.toISOString() }
}

/** Confirms or declines a request; of a password that was reset the confirmer, and nobody else, is shown the one-time one. */
export async function decide(
  requests: AccessRequests,
  context: RequestContext,
  id: string,
  agree: boolean,
): Promise<{ id: string; status: string; password?: ToldPassword }> {
  const { database, engine } = requests.parts
  const { rows } = await database.query<AccessRequest>(`select ${COLUMNS} from staff_access_request where id = $1`, [id])
  const request = rows[0]
  const withdraws = request?.requestedBy === context.user.staffId && !agree
  if (!request || !(withdraws || (await requests.mayDecide(context, request)))) throw new ServiceError('notFound')
  const status = agree ? 'done' : withdraws ? 'withdrawn' : 'declined'
  return engine.transaction(
    systemContext({ now: context.now, locale: context.locale, traceId: context.traceId }),
    async (entities, tx) => {
      if (!(await requests.settle(tx, context, id, status))) throw over()
      const password = agree ? await carryOut(requests, tx, entities, context, request) : undefined
      if (!agree && request.memberId !== null) await entities.remove('sys.roleMember', request.memberId)
      await requests.tellEnd(tx, context, request, status)
      const done = { id, status }
      if (password) return { ...done, password }
      await context.idempotence?.settle(tx, ok(done))
      return done
    },
  )
}

async function carryOut(
  requests: AccessRequests,
  tx: Transaction,
  entities: Entities,
  context: RequestContext,
  { kind, staffId, email, memberId, requestedBy }: AccessRequest,
): Promise<ToldPassword | undefined> {
  if (kind === 'reset') return resetPassword(requests.parts, tx, entities, context, staffId)
  if (kind === 'email') await entities.save('sys.staff', { id: staffId, email })
  if (kind === 'enable') await entities.save('sys.staff', { id: staffId, signInDisabled: false })
  if (kind === 'grant') await entities.save('sys.roleMember', { id: memberId, waiting: false })
  const by = (await requests.namesOf([requestedBy])).get(requestedBy)
  const asked = by && { zh: `，由${by.zh}申请`, en: `, asked for by ${by.en}` }
  await audit(entities, context, staffId, `${KINDS[kind as AccessKind][context.locale]}${asked?.[context.locale] ?? ''}`)
  return undefined
}

/** An entry of the log in the name of whoever decided. */
async function audit(entities: Entities, context: RequestContext, staffId: string, reason: string): Promise<void> {
  const staff = await entities.find('sys.staff', staffId)
  await entities.insertMany('sys.auditLog', [
    {
      id: newId(),
      at: context.now.toISOString(),
      staffId: context.user.staffId,
      action: 'update',
      entity: 'sys.staff',
      recordId: staffId,
      recordTitle: String(staff?.['name'] ?? ''),
      reason,
      changes: [],
      ip: context.ip === '' ? null : context.ip,
      traceId: context.traceId.slice(0, 40),
    },
  ])
}

const over = (): ServiceError =>
  new ServiceError('transitionRefused', {
    message: {
      zh: '该申请已被处理或已超过 24 小时，未执行。请重新申请。',
      en: 'This request was decided already, or its 24 hours are over; nothing was done. Ask for it anew.',
    },
    data: { transition: 'decide', reason: 'over' },
  })
