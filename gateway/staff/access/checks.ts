import type { EntityRecord, SaveHook } from '../../entities'
import type { Executor } from '../../platform/database'
import { can, type RequestContext } from '../../platform/http'
import type { StoredRole } from '../rights'
import { isNothing, lackingRights, type Lacking } from './rights'
import { EDIT_ROLES, type AccessRequests, type Needed } from './requests'
import { lackingInWords } from './words'

/** People sign in by their e-mail: whoever sets it for somebody with more rights than his own asks for a confirmation. */
export async function refuseEmail(access: AccessRequests, { context, before, record, fail }: SaveHook): Promise<void> {
  const own = context.user.staffId === record['id']
  if (context.kind !== 'staff' || !before || own || (before['email'] ?? null) === (record['email'] ?? null)) return
  const needed = await access.neededFor(context, String(record['id']))
  if (!needed) return
  const needs = await lackingInWords(access.parts, needed.lacking)
  fail({
    field: 'email',
    message: {
      zh: `邮箱用于登录，而此人拥有您没有的权限（${needs.zh}）。请在其详情的“账号”页申请修改，由拥有这些权限的人确认。`,
      en: `People sign in by their e-mail, and this person has rights that you have not (${needs.en}). Ask for the change on the tab "Account" of the details; somebody who has them confirms it.`,
    },
    rule: 'needsConfirmation',
  })
}

/** Departments, posts and managers decide who sees rows and who approves: nobody but an administrator of roles moves himself. */
const PLACE = ['mainDeptId', 'deptIds', 'position', 'managerId'] as const

export function refuseOwnPlace({ context, before, record, fail }: SaveHook): void {
  if (context.kind !== 'staff' || !before || record['id'] !== context.user.staffId || can(context, EDIT_ROLES)) return
  const changed = PLACE.find((field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(record[field] ?? null))
  if (changed !== undefined)
    fail({
      field: changed,
      message: {
        zh: '部门、岗位和上级决定可见的数据和审批，自己的须由他人修改',
        en: 'Departments, post and manager decide what one sees and approves: somebody else has to change yours',
      },
      rule: 'ownPlace',
    })
}

/** Whoever leads a department sees and approves what is of it: nobody but an administrator of roles names himself. */
export function refuseOwnLeading({ context, before, record, fail }: SaveHook): void {
  const leads = record['leaderId'] === context.user.staffId
  if (context.kind !== 'staff' || can(context, EDIT_ROLES) || !leads) return
  const same = before?.['leaderId'] === record['leaderId'] && (before?.['parentId'] ?? null) === (record['parentId'] ?? null)
  if (!same)
    fail({
      field: 'leaderId',
      message: {
        zh: '负责人可见并审批该部门的事项，不能由本人指定自己',
        en: 'The leader sees and approves what is of the department: nobody names himself',
      },
      rule: 'ownPlace',
    })
}

/** Grants and roles that would give somebody, through his own hands, what he has not. */
export class GrantCheck {
  constructor(private readonly access: AccessRequests) {}

  /** A grant to oneself, or to an account in one's hand, of more than one has holds only once it is confirmed. */
  async hold({ context, tx, before, record }: SaveHook): Promise<void> {
    if (context.kind !== 'staff' || before?.['waiting'] === true) return
    if (await this.needed(tx, context, record)) record['waiting'] = true
  }

  /** Asks for the confirmation of a grant that has begun to wait. */
  async ask({ context, tx, before, record }: Pick<SaveHook, 'context' | 'tx' | 'before' | 'record'>): Promise<void> {
    if (context.kind !== 'staff' || record['waiting'] !== true || before?.['waiting'] === true) return
    const needed = await this.needed(tx, context, record)
    const asked = { kind: 'grant', staffId: String(record['staffId']), memberId: String(record['id']) } as const
    if (needed) await this.access.ask(tx, context, asked, needed)
  }

  /** Whose confirmation a grant needs; null: nobody's. */
  async needed(tx: Executor, context: RequestContext, record: EntityRecord): Promise<Needed | null> {
    const { rows } = await tx.query<StoredRole>(
      `select id, name, name_en as "nameEn", code, true as enabled, resource_ids as "resourceIds", button_keys as "buttonKeys", scopes, field_rules as "fieldRules"
       from sys_role where id = $1 and deleted_at is null`,
      [record['roleId']],
    )
    return rows[0] ? this.access.neededForGrant(context, String(record['staffId']), rows[0]) : null
  }

  async withdraw(tx: Executor, memberId: string): Promise<void> {
    await tx.query(`update staff_access_request set status = 'withdrawn' where member_id = $1 and status = 'waiting'`, [memberId])
  }

  /** A role that one holds, or an account in one's hand, is not widened by what one has not. */
  async refuseWidening({ context, tx, before, record, fail }: SaveHook): Promise<void> {
    if (context.kind !== 'staff' || !before) return
    const { directory } = this.access.parts
    const { rows } = await tx.query<{ staffId: string }>(
      `select distinct staff_id as "staffId" from sys_role_member where role_id = $1 and deleted_at is null and waiting is not true and (until is null or until > $2)`,
      [record['id'], context.now.toISOString()],
    )
    for (const { staffId } of rows) {
      if (!(await this.access.inHand(tx, context.user.staffId, staffId))) continue
      const [was, is] = await Promise.all([
        directory.rightsAhead(staffId, context.now, [roleOf(before)]),
        directory.rightsAhead(staffId, context.now, [roleOf(record)]),
      ])
      if (!was || !is) continue
      const gained = beyond(lackingRights(is, context), lackingRights(was, context))
      if (isNothing(gained) || !(await this.access.needed(context, is, staffId))) continue
      const needs = await lackingInWords(this.access.parts, gained)
      return fail({
        field: 'buttonKeys',
        message: {
          zh: `您或由您建立的账号属于此权限组，不能加入您自己没有的权限（${needs.zh}）。请另建权限组并授予，由拥有这些权限的人确认。`,
          en: `You, or an account that you have made, hold this role: it cannot be given rights that you have not (${needs.en}). Put them into another role and grant that; somebody who has them confirms it.`,
        },
        rule: 'needsConfirmation',
      })
    }
    return undefined
  }
}

const beyond = (now: Lacking, before: Lacking): Lacking => {
  const fresh = (key: keyof Lacking): string[] => now[key].filter((one) => !before[key].includes(one))
  return { keys: fresh('keys'), entities: fresh('entities'), fields: fresh('fields'), departments: [] }
}

const roleOf = (record: EntityRecord): StoredRole => ({
  ...(record as unknown as StoredRole),
  enabled: record['enabled'] !== false,
})
