import type { EntityEngine } from '../../entities'
import { newId, type Database, type Executor } from '../../platform/database'
import { can, type RequestContext, type Text } from '../../platform/http'
import type { SessionService } from '../../platform/session'
import { closeTodos, notify, send } from '../../todos'
import type { Directory } from '../directory'
import type { StoredRole } from '../rights'
import { isNothing, lackingRights, type Held, type Lacking } from './rights'
import { KINDS, lackingInWords, nobodyConfirms, type AccessKind } from './words'

export interface AccessParts {
  database: Database
  engine: EntityEngine
  directory: Directory
  sessions: SessionService
}

/** A request as it is kept. */
export interface AccessRequest {
  id: string
  kind: AccessKind
  staffId: string
  email: string | null
  memberId: string | null
  reason: string | null
  requestedBy: string
  requestedAt: string
  expiresAt: string
  status: string
  decidedBy: string | null
  decidedAt: string | null
}

/** What a request waits for: whose confirmation, and why. */
export interface Needed {
  lacking: Lacking
  /** Ids of those who may confirm. */
  confirmers: readonly string[]
}

/** The key of whoever edits roles: who confirms where nobody else holds everything, because he could grant it anyway. */
export const EDIT_ROLES = 'setModule:authManage:permissions:edit'
/** Milliseconds for which a request waits. */
const LASTS = 24 * 3_600_000
/** Where requests are decided. */
export const PAGE = '/message/access-requests'
export const COLUMNS = `id, kind, staff_id as "staffId", email, member_id as "memberId", reason, requested_by as "requestedBy", requested_at as "requestedAt",
  expires_at as "expiresAt", status, decided_by as "decidedBy", decided_at as "decidedAt"`

/** Whatever lets somebody come by rights that he has not: it waits for a second person who has them all. */
export class AccessRequests {
  constructor(readonly parts: AccessParts) {}

  /**
   * Whose confirmation it needs that the caller gets at the account of a person; null: nobody's, because the caller may all that the person may.
   * @throws ServiceError nobodyConfirms when there is nobody, unless the caller is the only administrator of roles
   */
  async neededFor(context: RequestContext, staffId: string): Promise<Needed | null> {
    const held = await this.parts.directory.rightsAhead(staffId, context.now)
    return held && this.needed(context, held, staffId)
  }

  /** The same for a role that is to be granted: to oneself, or to an account that the caller has in his hand. */
  async neededForGrant(context: RequestContext, staffId: string, role: StoredRole): Promise<Needed | null> {
    if (!(await this.inHand(this.parts.database, context.user.staffId, staffId))) return null
    const held = await this.parts.directory.rightsAhead(staffId, context.now, [{ ...role, enabled: true }])
    return held && this.needed(context, { ...held, user: { ...held.user, ledDeptIds: [] } }, staffId)
  }

  /** Oneself, an account that one has made, or one to which one has opened the door: its password or sign-in name is known, or was. */
  async inHand(db: Executor, ownId: string, staffId: string): Promise<boolean> {
    if (ownId === staffId) return true
    const { rows } = await db.query<{ found: boolean }>(
      `select exists (select from sys_staff where id = $2 and created_by = $1) or exists (select from staff_access_request
         where staff_id = $2 and kind <> 'grant' and status = 'done' and (decided_by = $1 or requested_by = $1)) as found`,
      [ownId, staffId],
    )
    return rows[0]?.found === true
  }

  /** Whether somebody may decide a request now. */
  async mayDecide(context: RequestContext, request: AccessRequest): Promise<boolean> {
    const { staffId } = context.user
    if (staffId === request.requestedBy || staffId === request.staffId) return false
    const held = await this.heldOf(request, context.now)
    if (!held) return false
    if (isNothing(lackingRights(held, context))) return true
    return can(context, EDIT_ROLES) && (await this.confirmers(held, [request.requestedBy, request.staffId], context.now)).all
  }

  /** What somebody gains by a request. */
  async heldOf({ staffId, kind, memberId }: AccessRequest, now: Date): Promise<Held | null> {
    const { database, directory } = this.parts
    if (kind !== 'grant') return directory.rightsAhead(staffId, now)
    const { rows } = await database.query<StoredRole>(
      `select r.id, r.name, r.name_en as "nameEn", r.code, true as enabled, r.resource_ids as "resourceIds", r.button_keys as "buttonKeys", r.scopes, r.field_rules as "fieldRules"
       from sys_role_member m join sys_role r on r.id = m.role_id where m.id = $1`,
      [memberId],
    )
    const held = await directory.rightsAhead(staffId, now, rows)
    return held && { ...held, user: { ...held.user, ledDeptIds: [] } }
  }

  /** Writes a request down, in the caller's transaction, and tells the person and everybody who may confirm it. */
  async ask(
    tx: Executor,
    context: RequestContext,
    asked: Pick<AccessRequest, 'kind' | 'staffId'> & Partial<Pick<AccessRequest, 'email' | 'memberId' | 'reason'>>,
    { lacking, confirmers }: Needed,
  ): Promise<{ id: string; waiting: true; needs: string; confirmers: string[]; expiresAt: string }> {
    const { now, locale, user } = context
    const expiresAt = new Date(now.getTime() + LASTS)
    const id = await this.write(tx, context, asked, 'waiting', expiresAt)
    const names = await this.namesOf([asked.staffId, ...confirmers])
    const [what, needs, person] = [KINDS[asked.kind], await lackingInWords(this.parts, lacking), names.get(asked.staffId)!]
    const subject = { entity: 'sys.staff', id: asked.staffId }
    const due: Text = {
      zh: `须在 24 小时内决定。需要：${needs.zh}`,
      en: `To be decided within 24 hours. It takes: ${needs.en}`,
    }
    await notify(
      tx,
      confirmers.map((staffId) => ({
        staffId,
        kind: 'access',
        title: {
          zh: `${user.name}申请为${person.zh}${what.zh}，请您确认或拒绝`,
          en: `${user.nameEn ?? user.name} asks for a ${what.en} of ${person.en}: confirm or decline`,
        },
        text: due,
        subject,
        link: PAGE,
        senderId: user.staffId,
        dueAt: expiresAt,
        key: `access/${id}/${staffId}`,
      })),
      now,
    )
    await this.tellPerson(tx, context, id, asked, 'asked')
    const told = confirmers.map((staffId) => names.get(staffId)![locale])
    return { id, waiting: true, needs: needs[locale], confirmers: told, expiresAt: expiresAt.toISOString() }
  }

  /** Writes down what was done without anybody's confirmation, and tells the person. */
  async done(tx: Executor, context: RequestContext, asked: Pick<AccessRequest, 'kind' | 'staffId'>): Promise<void> {
    const id = await this.write(tx, context, asked, 'done', context.now)
    await this.tellPerson(tx, context, id, asked, 'done')
  }

  /** Settles a request; false when it was settled before or its time is over. */
  async settle(tx: Executor, context: RequestContext, id: string, status: string): Promise<boolean> {
    const { rowCount } = await tx.query(
      `update staff_access_request set status = $2, decided_by = $3, decided_at = $4 where id = $1 and status = 'waiting' and expires_at > $4`,
      [id, status, context.user.staffId, context.now.toISOString()],
    )
    return rowCount === 1
  }

  /** Tells the person and the one who asked how it ended, and closes the to-dos of those who might have decided. */
  async tellEnd(tx: Executor, context: RequestContext, request: AccessRequest, status: string): Promise<void> {
    const { now, user } = context
    await closeTodos(tx, { entity: 'sys.staff', ids: [request.staffId] }, { as: 'done', now, kinds: ['access'] })
    await this.tellPerson(tx, context, request.id, request, status)
    const names = await this.namesOf([request.staffId])
    const [what, person, done] = [KINDS[request.kind], names.get(request.staffId)!, status === 'done']
    const one = {
      zh: `${user.name}${done ? '已确认' : '已拒绝'}：为${person.zh}${what.zh}`,
      en: `${user.nameEn ?? user.name} ${done ? 'confirmed' : 'declined'} the ${what.en} of ${person.en}`,
    }
    const key = `access/${request.id}/end`
    await send(tx, [{ staffId: request.requestedBy, kind: 'access', title: one, link: PAGE, senderId: user.staffId, key }], now)
  }

  /** Requests whose time is over end, with the grants that waited. */
  async sweep(now: Date): Promise<void> {
    const { database } = this.parts
    await database.transaction(async (tx) => {
      const { rows } = await tx.query<{ staffId: string; memberId: string | null }>(
        `update staff_access_request set status = 'expired' where status = 'waiting' and expires_at <= $1 returning staff_id as "staffId", member_id as "memberId"`,
        [now.toISOString()],
      )
      const members = rows.flatMap(({ memberId }) => memberId ?? [])
      await tx.query(`update sys_role_member set deleted_at = $2 where id = any($1::text[]) and waiting`, [
        members,
        now.toISOString(),
      ])
      const ids = [...new Set(rows.map(({ staffId }) => staffId))]
      if (ids.length > 0) await closeTodos(tx, { entity: 'sys.staff', ids }, { as: 'dropped', now, kinds: ['access'] })
    })
  }

  /** People as they are called, by id. */
  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Text>> {
    const { rows } = await this.parts.database.query<{ id: string; name: string; nameEn: string | null; jobNumber: string }>(
      `select id, name, name_en as "nameEn", job_number as "jobNumber" from sys_staff where id = any($1::text[])`,
      [ids],
    )
    return new Map(
      rows.map(({ id, name, nameEn, jobNumber }) => [
        id,
        { zh: `${name} (${jobNumber})`, en: `${nameEn || name} (${jobNumber})` },
      ]),
    )
  }

  /** Whose confirmation it needs that the caller lets `held` come to a person; null: nobody's. */
  async needed(context: RequestContext, held: Held, staffId: string): Promise<Needed | null> {
    const lacking = lackingRights(held, context)
    if (isNothing(lacking)) return null
    const { found } = await this.confirmers(held, [context.user.staffId, staffId], context.now)
    if (found.length > 0) return { lacking, confirmers: found }
    // a company that is being set up has one administrator and nobody else who could say anything
    if (can(context, EDIT_ROLES)) return null
    throw nobodyConfirms()
  }

  /** Those who hold everything; where there is nobody, the administrators of roles, who could grant it anyway. */
  private async confirmers(held: Held, except: readonly string[], now: Date): Promise<{ found: string[]; all: boolean }> {
    const { directory } = this.parts
    const others = (ids: readonly string[]): string[] => ids.filter((id) => !except.includes(id))
    const found = others(await directory.thoseWhoHold(held, now))
    if (found.length > 0) return { found, all: false }
    const nothing = { scopes: {}, fieldRules: {}, user: { ...held.user, ledDeptIds: [] } }
    return { found: others(await directory.thoseWhoHold({ ...nothing, permissions: new Set([EDIT_ROLES]) }, now)), all: true }
  }

  private async write(
    tx: Executor,
    { user, now }: RequestContext,
    {
      kind,
      staffId,
      email = null,
      memberId = null,
      reason = null,
    }: Pick<AccessRequest, 'kind' | 'staffId'> & Partial<AccessRequest>,
    status: string,
    expiresAt: Date,
  ): Promise<string> {
    const id = newId()
    if (status === 'waiting' && memberId === null)
      await tx.query(
        `update staff_access_request set status = 'withdrawn' where staff_id = $1 and kind = $2 and status = 'waiting'`,
        [staffId, kind],
      )
    await tx.query(
      `insert into staff_access_request (id, kind, staff_id, email, member_id, reason, requested_by, requested_at, expires_at, status)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [id, kind, staffId, email, memberId, reason, user.staffId, now.toISOString(), expiresAt.toISOString(), status],
    )
    return id
  }

  /** Whoever's account it is hears of it: of the request, and of its end. */
  private async tellPerson(
    tx: Executor,
    { user, now }: RequestContext,
    id: string,
    { kind, staffId }: Pick<AccessRequest, 'kind' | 'staffId'>,
    what: string,
  ): Promise<void> {
    const of = KINDS[kind]
    const by = { zh: user.name, en: user.nameEn ?? user.name }
    const title: Text =
      what === 'asked'
        ? { zh: `${by.zh}申请对您的账号：${of.zh}`, en: `${by.en} asked for your account: ${of.en}` }
        : what === 'done'
          ? { zh: `您的账号已由${by.zh}：${of.zh}`, en: `Done to your account by ${by.en}: ${of.en}` }
          : { zh: `${by.zh}拒绝了对您账号的申请：${of.zh}`, en: `${by.en} declined for your account: ${of.en}` }
    const text = {
      zh: '如果您没有提出过，请告知管理员。',
      en: 'Tell an administrator if you did not ask for it.',
    }
    await send(tx, [{ staffId, kind: 'access', title, text, senderId: user.staffId, key: `access/${id}/person/${what}` }], now)
  }
}
