import { sql } from 'drizzle-orm'
import type { EntityEngine, EntityRecord, EntityService, SaveHook, TransitionHook } from '../../../../entities'
import { can, ServiceError, type RequestContext, type Text } from '../../../../platform/http'
import type { Executor } from '../../../../platform/database'
import { tell } from '../../../../todos'
import { dayOf, type Day } from '../../rules/companyDay'
import { accountProductOf, amountsOf, isOpenStage, STAGE_WIN_RATE } from '../../rules/opportunity'
import { giveAlias } from '../alias/give'
import { registerFunnel } from '../funnel/calls'
import { funnelCondition } from '../funnel/condition'
import { logStage, stageBeforeClosing } from './stageLog'
import { describeActual } from './actual'

const CUSTOMER = 'crm.customer'

/** Opportunities: amounts, stages with their log, closing and reopening; the funnel's calls stand beside them. */
export function opportunityServices(engine: EntityEngine, timeZone: string): Record<string, EntityService> {
  const opportunity: EntityService = {
    async beforeSave(hook) {
      const { record, before, given, origin } = hook
      if (!before) await begin(hook, engine, timeZone)
      else if (origin !== 'service' && !isOpenStage(before.stage))
        throw new ServiceError('transitionRefused', { message: CLOSED, data: { transition: 'edit' } })
      if (given.has('winRate') && origin !== 'service') limitWinRate(hook)
      Object.assign(record, amounts(record))
    },
    async afterSave({ before, record, entities, now, context }) {
      if (before) return
      await logStage(
        entities,
        { now, timeZone, byId: staffOf(context) },
        { opportunity: record, from: null, to: String(record.stage), since: null },
      )
    },
    computeFields: (records, { db }) => describeActual(records, db, timeZone),
    asked: ({ conditions, alias, context }) => funnelCondition(conditions, alias, context.locale, timeZone),
    extraRoutes(app, _engine, path) {
      registerFunnel(app, engine, path, timeZone)
    },
  }

  const stage: EntityService = {
    async guard({ transition, before, tx }) {
      return transition.id === 'win' ? noAccount(tx, before) : null
    },
    async effect(hook) {
      const { entities, before, record, now, context, transition, values } = hook
      const at = now.toISOString()
      if (transition.id === 'reopen') record.stage = await stageBeforeClosing(entities, String(before.id))
      const to = String(record.stage)
      Object.assign(record, {
        winRate: String(STAGE_WIN_RATE[to] ?? 0),
        stageAt: at,
        touchedAt: at,
        wonAt: to === 'won' ? at : null,
        lostAt: to === 'lost' ? at : null,
        ...(to === 'lost' ? {} : { loseReason: null, loseNote: null }),
      })
      Object.assign(record, amounts(record))
      if (to === 'won') await giveAlias(entities, hook.tx, String(before.customerId), now)
      await logStage(
        entities,
        { now, timeZone, byId: staffOf(context) },
        { opportunity: record, from: String(before.stage), to, since: sinceOf(before), note: noteOf(values) },
      )
    },
  }
  return { 'crm.opportunity': opportunity, 'crm.opportunity.stage': stage, 'crm.opportunity.handOver': handOver(timeZone) }
}

/** An opportunity goes to somebody who has its customer already; the customer itself goes by a transfer. */
const handOver = (timeZone: string): EntityService => ({
  async effect({ entities, tx, before, record, values, now }) {
    const receiver = await entities.find('sys.staff', String(values.handOverTo))
    const refused = (reason: string, message: Text): ServiceError =>
      new ServiceError('limitRefused', { message, data: { reason } })
    if (!receiver || !['active', 'probation'].includes(String(receiver.status)))
      throw refused('notActive', { zh: '接收人不在职。', en: 'The receiver is not an active member of staff.' })
    if (receiver.id === before.ownerId) throw refused('sameOwner', { zh: '对方已是负责人。', en: 'This person owns it already.' })
    if (!(await hasCustomer(tx, String(before.customerId), receiver, dayOf(now, timeZone))))
      throw refused('customerUnseen', {
        zh: '对方看不到该客户，请先共享或转移客户。',
        en: 'This person does not see the customer; share or transfer the customer first.',
      })
    Object.assign(record, {
      ownerId: receiver.id,
      ownerDeptId: receiver.mainDeptId,
      ownedAt: now.toISOString(),
      touchedAt: now.toISOString(),
    })
    const [name, id] = [String(before.name), String(before.id)]
    const todo = {
      staffId: String(receiver.id),
      kind: 'opportunityReceived',
      title: { zh: `接手商机：${name}`, en: `Opportunity handed over to you: ${name}` },
      subject: { entity: 'crm.opportunity', id },
      link: `/crm/BODetail?id=${id}`,
      key: `opportunityReceived/${id}/${now.toISOString()}`,
    }
    await tell(tx, [todo], now)
  },
})

/** The owner of the customer, somebody it is shared with, a leader of the owner's department. */
async function hasCustomer(tx: Executor, customerId: string, staff: EntityRecord, today: Day): Promise<boolean> {
  const { rows } = await tx.query(
    sql`select 1 from crm_customer c left join sys_department d on d.id = c.owner_dept_id
        where c.id = ${customerId} and c.deleted_at is null and (c.owner_id = ${String(staff.id)}
          or exists (select from sys_department led where led.leader_id = ${String(staff.id)} and led.deleted_at is null and d.path like led.path || '%')
          or exists (select from crm_share s where s.customer_id = c.id and s.status = 'accepted' and s.deleted_at is null
            and (s.until is null or s.until >= ${today}::date) and (s.to_staff_id = ${String(staff.id)} or s.to_dept_id = any(${sql.param(staff.deptIds ?? [])}::text[]))))`,
  )
  return rows.length > 0
}

const CLOSED: Text = {
  zh: '商机已关闭，不能修改；主管可以重新打开。',
  en: 'The opportunity is closed and cannot be changed; a manager may reopen it.',
}
const staffOf = (context: RequestContext): string | null => context.user.staffId || null
const sinceOf = (record: EntityRecord): string => String(record.stageAt ?? record.createdAt)
const noteOf = (values: EntityRecord): string | null => {
  const note = values.reopenReason ?? values.loseNote
  return typeof note === 'string' && note !== '' ? note.slice(0, 200) : null
}

function amounts(record: EntityRecord): EntityRecord {
  const { monthlyVolume, expectedPrice, winRate, currency } = record
  return amountsOf({ monthlyVolume, expectedPrice, winRate, currency })
}

/** A new opportunity stands in the first stage, belongs to the customer's owner, and needs a customer that the caller may change. */
async function begin(hook: SaveHook, engine: EntityEngine, timeZone: string): Promise<void> {
  const { record, entities, now, context } = hook
  const customer = await entities.find(CUSTOMER, String(record.customerId))
  if (!customer) return
  if (hook.origin !== 'service' && !(await mayChange(hook, engine, customer, dayOf(now, timeZone))))
    hook.fail({
      field: 'customerId',
      rule: 'customerOfMine',
      message: {
        zh: '只能为自己负责（或可编辑共享）的客户新建商机。',
        en: 'An opportunity needs a customer that you own or share for editing.',
      },
    })
  if (customer.holding !== 'private')
    hook.fail({
      field: 'customerId',
      rule: 'customerPrivate',
      message: {
        zh: '客户在公海或已冻结，请先领取。',
        en: 'The customer is in the open sea or frozen; claim it first.',
      },
    })
  const at = now.toISOString()
  record.stage ??= 's1'
  Object.assign(record, {
    ownerId: customer.ownerId ?? context.user.staffId,
    winRate: record.winRate ?? String(STAGE_WIN_RATE[String(record.stage)] ?? 0),
    stageAt: at,
    touchedAt: at,
  })
}

/** Own customers, those shared for editing, and the department's with the key. */
async function mayChange({ tx, context }: SaveHook, engine: EntityEngine, customer: EntityRecord, today: Day): Promise<boolean> {
  const { staffId } = context.user
  if (customer.ownerId === staffId) return true
  const { rows: shares } = await tx.query(
    sql`select 1 from crm_share where customer_id = ${String(customer.id)} and to_staff_id = ${staffId} and status = 'accepted' and mode = 'edit'
        and deleted_at is null and (until is null or until >= ${today}::date) limit 1`,
  )
  if (shares.length > 0) return true
  if (!can(context, 'crm:customer:manage')) return false
  const { rows } = await tx.query(sql`select 1 ${engine.rows(CUSTOMER, context, { ids: [String(customer.id)] })}`)
  return rows.length > 0
}

/** The win rate follows the stage; people may lower it, never raise it. */
function limitWinRate(hook: SaveHook): void {
  const most = STAGE_WIN_RATE[String(hook.record.stage)] ?? 0
  if (Number(hook.record.winRate) <= most) return
  hook.fail({
    field: 'winRate',
    rule: 'winRateOfStage',
    message: {
      zh: `赢率不能高于阶段的 ${most}%；推进阶段后会自动提高。`,
      en: `The win rate cannot be above the ${most} % of its stage; it rises with the stage.`,
    },
  })
}

/** Winning needs an account that the product can run on. */
async function noAccount(tx: Executor, opportunity: TransitionHook['before']): Promise<Text | null> {
  const wanted = accountProductOf(String(opportunity.product))
  const { rows } = await tx.query(
    sql`select 1 from fin_customer_account where customer_id = ${String(opportunity.customerId)} and status = 'active' and deleted_at is null
        and (${wanted}::text is null or product = ${wanted}) limit 1`,
  )
  return rows.length > 0
    ? null
    : {
        zh: '客户还没有该产品的正常账户，请先开户。',
        en: 'The customer has no active account of this product yet; open one first.',
      }
}
