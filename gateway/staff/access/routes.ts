import type { FastifyInstance } from 'fastify'
import { ServiceError, contextOf, ok, type RequestContext } from '../../platform/http'
import { decide } from './decide'
import { COLUMNS, type AccessRequest, type AccessRequests } from './requests'
import { KINDS, lackingInWords } from './words'
import { lackingRights } from './rights'

const EDIT_USER = 'setModule:authManage:user:edit'
const id = { type: 'string', minLength: 1, maxLength: 40 } as const
/** Requests of one's own that are listed. */
const MOST_OWN = 50

/** What waits for somebody's confirmation, and its decision. */
export function registerAccessRoutes(app: FastifyInstance, requests: AccessRequests): void {
  const { database, engine } = requests.parts

  app.get(
    '/v2/sys/staff/access/list',
    { schema: { summary: 'Requests that the caller may confirm, those that he made, and those about his own account' } },
    async (request) => {
      const context = contextOf(request)
      const { staffId } = context.user
      const [waiting, own] = await Promise.all([
        database.query<AccessRequest>(
          `select ${COLUMNS} from staff_access_request where status = 'waiting' and expires_at > $1 order by requested_at limit 500`,
          [context.now.toISOString()],
        ),
        database.query<AccessRequest>(
          `select ${COLUMNS} from staff_access_request where requested_by = $1 or staff_id = $1 order by requested_at desc limit ${MOST_OWN}`,
          [staffId],
        ),
      ])
      const toDecide: AccessRequest[] = []
      for (const one of waiting.rows) if (await requests.mayDecide(context, one)) toDecide.push(one)
      return ok({ toDecide: await shown(context, toDecide), own: await shown(context, own.rows) })
    },
  )

  async function shown(context: RequestContext, rows: readonly AccessRequest[]) {
    const { locale, now, user } = context
    const names = await requests.namesOf([...new Set(rows.flatMap((row) => [row.staffId, row.requestedBy, row.decidedBy ?? '']))])
    const name = (one: string | null): string | null => (one === null ? null : (names.get(one)?.[locale] ?? one))
    const roles = await database.query<{ id: string; name: string }>(
      `select m.id, case when $2 = 'en' then coalesce(r.name_en, r.name) else r.name end as name from sys_role_member m join sys_role r on r.id = m.role_id where m.id = any($1::text[])`,
      [rows.flatMap(({ memberId }) => memberId ?? []), locale],
    )
    return Promise.all(
      rows.map(async (row) => {
        const over = row.status === 'waiting' && new Date(row.expiresAt) <= now
        const [held, asker] = await Promise.all([
          row.status === 'waiting' ? requests.heldOf(row, now) : null,
          row.status === 'waiting' ? requests.parts.directory.rightsOf(row.requestedBy, now) : null,
        ])
        return {
          id: row.id,
          kind: row.kind,
          what: KINDS[row.kind][locale],
          detail: row.email ?? roles.rows.find((role) => role.id === row.memberId)?.name ?? null,
          reason: row.reason,
          staffId: row.staffId,
          person: name(row.staffId),
          requestedBy: name(row.requestedBy),
          requestedAt: row.requestedAt,
          expiresAt: row.expiresAt,
          status: over ? 'expired' : row.status,
          decidedBy: name(row.decidedBy),
          decidedAt: row.decidedAt,
          mine: row.requestedBy === user.staffId,
          needs: held && asker ? (await lackingInWords(requests.parts, lackingRights(held, asker)))[locale] : null,
        }
      }),
    )
  }

  const decideBody = {
    type: 'object',
    required: ['id', 'agree'],
    additionalProperties: false,
    properties: { id, agree: { type: 'boolean', description: 'False declines; of an own request it withdraws' } },
  } as const
  app.post(
    '/v2/sys/staff/access/decide',
    {
      schema: {
        summary: 'Confirms or declines a request; a one-time password is shown to the confirmer alone',
        body: decideBody,
      },
      config: { unrepeatable: true },
    },
    async (request) => {
      const { id: asked, agree } = request.body as { id: string; agree: boolean }
      return ok(await decide(requests, contextOf(request), asked, agree))
    },
  )

  const emailBody = {
    type: 'object',
    required: ['id', 'email'],
    additionalProperties: false,
    properties: { id, email: { type: 'string', format: 'email', maxLength: 200 } },
  } as const
  app.post(
    '/v2/sys/staff/access/email',
    {
      schema: {
        summary: 'Another e-mail of a person, which people sign in with: at once, or after a confirmation',
        body: emailBody,
      },
      config: { permission: EDIT_USER },
    },
    async (request) => {
      const context = contextOf(request)
      const { id: staffId, email } = request.body as { id: string; email: string }
      const needed = await requests.neededFor(context, staffId)
      const answer = await engine.transaction(context, async (entities, tx) => {
        if (!(await entities.find('sys.staff', staffId, { lock: true }))) throw new ServiceError('notFound')
        if (needed) return requests.ask(tx, context, { kind: 'email', staffId, email }, needed)
        await entities.save('sys.staff', { id: staffId, email })
        return { id: staffId }
      })
      return ok(answer)
    },
  )
}
