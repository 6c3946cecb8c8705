import { newId, type Database } from '../../../../platform/database'
import { systemContext, type Text } from '../../../../platform/http'
import { MOST_ROWS, stageOf, type JobDefinition, type JobContext, type JobReport } from '../../../../platform/jobs'
import { notify, type Notice, type Said } from '../../../../todos'
import { decideLevel, levelInputs, levelPoints, type Level, type LevelInputs } from '../../rules/levels'
import { monthStart } from '../../rules/months'
import { paramsOf, ruleBook, type RuleTypes } from '../../../../rules'
import { customerPage } from '../../services/customerPage'
import { monthsOf } from '../months'
import type { ModuleJob, ModuleParts } from '../../../module'
import { tableOf, thereIs } from '../../../../entities'

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

type LevelParts = Pick<ModuleParts, 'engine' | 'database'> & { timeZone: string }

/** Customers that are read, decided and written together, in one short transaction. */
const BATCH = 1_000

/** The night of the levels. */
export const job: ModuleJob = ({ engine, database, configuration: { companyTimeZone: timeZone } }) =>
  levelJob({ engine, database, timeZone })

/** Levels of customers on the first of the month (CRM rule 9.9), from the last three full months. */
export function levelJob({ engine, database, timeZone }: LevelParts, batch = BATCH): JobDefinition {
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
      const decided = decideLevels(database, paramsOf('crm.level', book), { day: job.day, timeZone }, batch)
      if (job.dry) return levelReport(decided)
      const told = stageOf(progress, STAGE, await countConcerned(database, job.day))
      return levelReport(kept({ engine }, decided, job, book.versionNo, told))
    },
  }
}

/** Customers with figures of the last three full months or with a level above D; `$1` is the first of those months. */
async function concerned(db: Database): Promise<string> {
  const figures = (await thereIs(db, 'fin.customerMonth'))
    ? `exists (select from ${tableOf('fin.customerMonth')} m where m.customer_id = c.id and m.deleted_at is null and m.month >= $1::date)`
    : '$1::date is null'
  return `c.deleted_at is null and (c.level <> 'd' or ${figures})`
}

async function countConcerned(db: Database, day: string): Promise<number> {
  const { rows } = await db.query<{ total: number }>(`select count(*) as total from crm_customer c where ${await concerned(db)}`, [
    monthStart(day, 3),
  ])
  return Number(rows[0]?.total ?? 0)
}

/**
 * What the rule says for every customer with figures or with a level above D, in batches in the order of their ids. Results of the
 * same month do not count as earlier ones: running it twice changes nothing more, and a batch may be written before the next is read.
 */
export async function* decideLevels(
  db: Database,
  rule: RuleTypes['crm.level'],
  { day, timeZone }: Pick<JobContext, 'day'> & { timeZone: string },
  batch = BATCH,
): AsyncGenerator<readonly Changed[]> {
  const since = monthStart(day, 3)
  const whose = await concerned(db)
  for (let last = ''; ;) {
    const { rows: customers } = await db.query<LevelCustomer>(
      `select c.id, c.code, c.name, c.level, (c.level = 'a' and (c.class_a_valid_to is null or c.class_a_valid_to >= $2::date)) as "classA",
         coalesce(c.level_lock_until >= $2::date, false) as locked, c.owner_id as "ownerId", d.leader_id as "leaderId",
         (select jsonb_agg(jsonb_build_object('computed', p.computed_level, 'points', p.points) order by p.at desc)
            from (select computed_level, points, at from crm_level_log where customer_id = c.id and computed_level is not null and deleted_at is null and (at at time zone $3)::date < $4::date order by at desc limit 6) p) as past
       from crm_customer c left join ${tableOf('sys.department')} d on d.id = c.owner_dept_id
       where c.id > $5 and ${whose} order by c.id limit $6`,
      [since, day, timeZone, monthStart(day), last, batch],
    )
    if (customers.length === 0) return
    const ids = customers.map(({ id }) => id)
    const months = await monthsOf(db, since, ids)
    yield customers.map((customer) => {
      const figures = months.get(customer.id)
      return decisionFor(customer, figures ? levelInputs(figures, day) : WITHOUT_FIGURES, rule)
    })
    last = ids.at(-1) ?? ''
  }
}

const WITHOUT_FIGURES: LevelInputs = { revenue: '0', margin: null, overdueDays: 0 }

function decisionFor(customer: LevelCustomer, inputs: LevelInputs, rule: RuleTypes['crm.level']): Changed {
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
}

const STAGE = { zh: '写入等级', en: 'Writing levels' }

/** Writes each batch before it passes it on. */
async function* kept(
  { engine }: Pick<LevelParts, 'engine'>,
  decided: AsyncIterable<readonly Changed[]>,
  { now, day }: JobContext,
  ruleVersion: number,
  told: (rows: number) => void,
): AsyncGenerator<readonly Changed[]> {
  const at = now.toISOString()
  for await (const some of decided) {
    await engine.transaction(
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
        await notify(
          tx,
          some.flatMap((one) => todosOf(one, day)),
          now,
        )
      },
      { retries: 3 },
    )
    told(some.length)
    yield some
  }
}

/** A sentence about a customer, and the same for whoever may not read its name. */
const saidOf = ({ name, code }: Changed['customer'], say: (zh: string, en: string) => Text): Said & { plain: Said } => ({
  title: say(`${name}（${code}）`, `${name} (${code})`),
  plain: { title: say(code, code) },
})

function todosOf({ customer, points, hint, watch }: Changed, day: string): Notice[] {
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
            ...saidOf(customer, (zh, en) => ({
              zh: `${zh}得分 ${points}，可以申请 A 类。`,
              en: `${en} has ${points} points: apply for class A.`,
            })),
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
            ...saidOf(customer, (zh, en) => ({
              zh: `A 类客户 ${zh}连续两次低于标准，请关注。`,
              en: `Class A customer ${en} was below the line twice in a row: look after it.`,
            })),
            key: `watch/${customer.id}/${month}`,
          },
        ]
      : []),
  ]
}

/** What points and margins are made of. */
const FIGURES = ['fin.customerMonth.revenue', 'fin.customerMonth.profit']
const rank = (level: Level): number => 'dcba'.indexOf(level)

/** Figures of all batches, and the first rows of those that change. */
export async function levelReport(decided: AsyncIterable<readonly Changed[]>): Promise<JobReport> {
  const counted = { computed: 0, up: 0, down: 0, hint: 0, watch: 0 }
  const shown: Changed[] = []
  for await (const some of decided)
    for (const one of some) {
      const { customer, to, hint, watch } = one
      counted.computed += 1
      if (hint) counted.hint += 1
      if (watch) counted.watch += 1
      if (customer.level === to) continue
      counted[rank(to) > rank(customer.level) ? 'up' : 'down'] += 1
      if (shown.length < MOST_ROWS) shown.push(one)
    }
  return {
    figures: [
      { id: 'computed', title: { zh: '计算客户', en: 'Customers computed' }, value: counted.computed },
      { id: 'up', title: { zh: '升级', en: 'Up' }, value: counted.up },
      { id: 'down', title: { zh: '降级', en: 'Down' }, value: counted.down },
      { id: 'hint', title: { zh: '可申请A类', en: 'May apply for class A' }, value: counted.hint },
      { id: 'watch', title: { zh: '重点关注', en: 'Under watch' }, value: counted.watch },
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'from', title: { zh: '原等级', en: 'From' } },
      { id: 'to', title: { zh: '新等级', en: 'To' } },
      { id: 'points', title: { zh: '得分', en: 'Points' }, kind: 'number', of: FIGURES },
      { id: 'revenue', title: { zh: '月均收入 USD', en: 'USD a month' }, kind: 'number', of: ['fin.customerMonth.revenue'] },
      { id: 'margin', title: { zh: '毛利 %', en: 'Margin %' }, kind: 'number', of: FIGURES },
    ],
    rows: shown.map(({ customer, to, points, inputs }) => ({
      id: customer.id,
      customer: `${customer.name} (${customer.code})`,
      from: customer.level.toUpperCase(),
      to: to.toUpperCase(),
      points,
      revenue: inputs.revenue,
      margin: inputs.margin,
    })),
    more: counted.up + counted.down - shown.length,
  }
}
