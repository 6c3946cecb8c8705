import type { EntityEngine } from '../../../../entities'
import { newId, type Database } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import {
  MOST_ROWS,
  stageOf,
  type JobDefinition,
  type JobPlace,
  type JobReport,
  type TellProgress,
} from '../../../../platform/jobs'
import { tell, type Todo } from '../../../../todos'
import { decideLevel, levelInputs, levelPoints, type Level, type LevelInputs } from '../../rules/levels'
import { monthStart } from '../../rules/months'
import type { CrmRules } from '../../rules/ruleSets'
import { customerPage } from '../../services/customerPage'
import { paramsOf, ruleBook } from '../../services/rules'
import { inTurn } from '../inLanes'
import { monthsSince } from '../months'
import type { CrmJobParts } from '../parts'

interface LevelCustomer {
  id: string
  code: string
  name: string
  level: Level
  classA: boolean
  locked: boolean
  ownerId: string | null
  leaderId: string | null
  past: { computed: Level; points: string }[] | null
}
interface Changed {
  customer: LevelCustomer
  inputs: LevelInputs
  points: number
  computed: Level
  to: Level
  hint: boolean
  watch: boolean
}

/** Levels of customers on the first of the month (CRM rule 9.9), from the last three full months. */
export function levelJob({ engine, database, timeZone }: CrmJobParts): JobDefinition {
  return {
    name: 'crm.level',
    title: { zh: '客户等级', en: 'Customer levels' },
    description: {
      zh: '按最近三个完整月的收入、毛利和付款重新计算等级。',
      en: 'Computes levels anew from revenue, margin and payment of the last three full months.',
    },
    schedule: { every: 'month', monthDay: 1, at: '03:00' },
    run: async (job, progress) => {
      const book = await ruleBook(database, 'crm.level', job.now)
      const rule = paramsOf('crm.level', book)
      const decided = await decideLevels(database, rule, { day: job.day, timeZone })
      if (!job.dry) await keep({ engine }, decided, job, book.versionNo, progress)
      return levelReport(decided)
    },
  }
}

/**
 * What the rule says for every customer with figures or with a level above D. Results of the same month do not count as earlier
 * ones: running it twice changes nothing more.
 */
export async function decideLevels(
  db: Database,
  rule: CrmRules['crm.level'],
  { day, timeZone }: Pick<JobPlace, 'day'> & { timeZone: string },
): Promise<Changed[]> {
  const figures = new Map<string, LevelInputs>()
  for await (const group of monthsSince(db, monthStart(day, 3)))
    for (const [id, rows] of group) figures.set(id, levelInputs(rows, day))
  const { rows: customers } = await db.query<LevelCustomer>(
    `select c.id, c.code, c.name, c.level, (c.level = 'a' and (c.class_a_valid_to is null or c.class_a_valid_to >= $2::date)) as "classA",
       coalesce(c.level_lock_until >= $2::date, false) as locked, c.owner_id as "ownerId", d.leader_id as "leaderId",
       (select jsonb_agg(jsonb_build_object('computed', p.computed_level, 'points', p.points) order by p.at desc)
          from (select computed_level, points, at from crm_level_log where customer_id = c.id and computed_level is not null and deleted_at is null and (at at time zone $3)::date < $4::date order by at desc limit 6) p) as past
     from crm_customer c left join sys_department d on d.id = c.owner_dept_id
     where c.deleted_at is null and (c.level <> 'd' or c.id = any($1::text[]))`,
    [[...figures.keys()], day, timeZone, monthStart(day)],
  )
  return customers.map((customer) => {
    const inputs = figures.get(customer.id) ?? { revenue: '0', margin: null, overdueDays: 0 }
    const { total } = levelPoints(inputs, rule)
    const past = customer.past ?? []
    const decision = decideLevel(
      total,
      {
        level: customer.level,
        classA: customer.classA,
        locked: customer.locked,
        before: past.map(({ computed }) => computed),
        pointsBefore: past[0] ? Number(past[0].points) : null,
      },
      rule,
    )
    return { customer, inputs, points: total, ...decision }
  })
}

/** Customers of one short transaction. */
const BATCH = 1_000
const STAGE = { zh: '写入等级', en: 'Writing levels' }

async function keep(
  { engine }: { engine: EntityEngine },
  decided: readonly Changed[],
  { now, day }: JobPlace,
  ruleVersion: number,
  progress: TellProgress,
): Promise<void> {
  const at = now.toISOString()
  await inTurn(decided, BATCH, stageOf(progress, STAGE, decided.length), (some) =>
    engine.transaction(
      systemContext({ now }),
      async (entities, tx) => {
        await entities.insertMany(
          'crm.levelLog',
          some.map(({ customer, inputs, points, computed, to }) => ({
            id: newId(),
            customerId: customer.id,
            fromLevel: customer.level,
            computedLevel: computed,
            toLevel: to,
            points: points.toFixed(2),
            inputs,
            ruleVersion,
            manual: false,
            at,
            createdAt: at,
            createdBy: null,
          })),
        )
        const changed = some.filter(({ customer, to }) => to !== customer.level)
        await entities.changeMany(
          'crm.customer',
          new Map(changed.map(({ customer, to }) => [customer.id, { level: to, classA: to === 'a' }])),
          { reason: 'crm.level' },
        )
        await tell(
          tx,
          some.flatMap((one) => todosOf(one, day)),
          now,
        )
      },
      { retries: 3 },
    ),
  )
}

function todosOf({ customer, points, hint, watch }: Changed, day: string): Todo[] {
  const about = {
    subject: { entity: 'crm.customer', id: customer.id },
    link: customerPage(customer.id),
  }
  const month = day.slice(0, 7)
  return [
    ...(hint && customer.ownerId
      ? [
          {
            ...about,
            staffId: customer.ownerId,
            kind: 'levelHint',
            title: {
              zh: `${customer.name}（${customer.code}）得分 ${points}，可以申请 A 类。`,
              en: `${customer.name} (${customer.code}) has ${points} points: apply for class A.`,
            },
            key: `levelHint/${customer.id}/${month}`,
          },
        ]
      : []),
    ...(watch && customer.leaderId
      ? [
          {
            ...about,
            staffId: customer.leaderId,
            kind: 'watch',
            title: {
              zh: `A 类客户 ${customer.name}（${customer.code}）连续两次低于标准，请关注。`,
              en: `Class A customer ${customer.name} (${customer.code}) was below the line twice in a row: look after it.`,
            },
            key: `watch/${customer.id}/${month}`,
          },
        ]
      : []),
  ]
}

export function levelReport(decided: readonly Changed[]): JobReport {
  const changed = decided.filter(({ customer, to }) => customer.level !== to)
  const rank = (level: Level): number => 'dcba'.indexOf(level)
  const up = changed.filter(({ customer, to }) => rank(to) > rank(customer.level)).length
  return {
    figures: [
      { id: 'computed', title: { zh: '计算客户', en: 'Customers computed' }, value: decided.length },
      { id: 'up', title: { zh: '升级', en: 'Up' }, value: up },
      { id: 'down', title: { zh: '降级', en: 'Down' }, value: changed.length - up },
      { id: 'hint', title: { zh: '可申请A类', en: 'May apply for class A' }, value: decided.filter(({ hint }) => hint).length },
      { id: 'watch', title: { zh: '重点关注', en: 'Under watch' }, value: decided.filter(({ watch }) => watch).length },
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'from', title: { zh: '原等级', en: 'From' } },
      { id: 'to', title: { zh: '新等级', en: 'To' } },
      { id: 'points', title: { zh: '得分', en: 'Points' }, kind: 'number' },
      { id: 'revenue', title: { zh: '月均收入 USD', en: 'USD a month' }, kind: 'number' },
      { id: 'margin', title: { zh: '毛利 %', en: 'Margin %' }, kind: 'number' },
    ],
    rows: changed.slice(0, MOST_ROWS).map(({ customer, to, points, inputs }) => ({
      id: customer.id,
      customer: `${customer.name} (${customer.code})`,
      from: customer.level.toUpperCase(),
      to: to.toUpperCase(),
      points,
      revenue: inputs.revenue,
      margin: inputs.margin,
    })),
    more: Math.max(0, changed.length - MOST_ROWS),
  }
}
