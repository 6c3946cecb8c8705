import { tableOf, type EntityEngine } from '../../../../entities'
import { newId } from '../../../../platform/database'
import { systemContext, type Text } from '../../../../platform/http'
import { inTurn, MOST_ROWS, stageOf, type JobContext, type JobReport, type TellProgress } from '../../../../platform/jobs'
import { notify, type Notice } from '../../../../todos'
import type { ChurnStep } from '../../rules/churn'
import { addDays, instantAt, startOfDay } from '../../rules/companyDay'
import { customerPage } from '../../services/customerPage'
import { paramsOf, ruleBook } from '../../../../rules'
import type { ModuleJob, ModuleParts } from '../../../module'
import { decideAllChurn, type ChurnChange, type ChurnOutcome } from './decide'

const STEPS: Readonly<Record<ChurnStep, { zh: string; en: string }>> = {
  warning: { zh: '预警', en: 'Warning' },
  silent: { zh: '沉默', en: 'Silent' },
  churned: { zh: '流失', en: 'Churned' },
  wonBack: { zh: '赢回', en: 'Won back' },
}

type ChurnParts = Pick<ModuleParts, 'engine' | 'database'> & { timeZone: string }

/** Falling, silent, churned and returning customers every night at 04:00 (CRM rule 9.10). */
export const job: ModuleJob = ({ engine, database, configuration: { companyTimeZone: timeZone } }) => {
  const parts = { engine, database, timeZone }
  return {
    name: 'crm.churn',
    title: { zh: '客户流失', en: 'Customer churn' },
    description: {
      zh: '比较最近 30 天与基线，找出下滑、沉默、流失和赢回的客户。',
      en: 'Compares the last 30 days with the baseline and finds customers that fall, fall silent, churn or come back.',
    },
    schedule: { every: 'day', at: '04:00' },
    run: async (job, progress) => {
      const rule = paramsOf('crm.churn', await ruleBook(database, 'crm.churn', job.now))
      const outcome = await decideAllChurn(database, rule, job.day, timeZone)
      if (!job.dry) {
        await keep(parts, outcome, job, rule.causeWithinDays, progress)
        await remindOfCauses(parts, job, rule.causeWithinDays)
      }
      return churnReport(outcome, productNames(engine))
    },
  }
}

/** Customers of one short transaction. */
const BATCH = 1_000
const STAGES = {
  changes: { zh: '写入预警和流失', en: 'Writing warnings and churn' },
  recovered: { zh: '解除预警', en: 'Ending warnings' },
  stages: { zh: '更新客户阶段', en: 'Moving stages' },
}

async function keep(
  { engine, timeZone }: ChurnParts,
  outcome: ChurnOutcome,
  { now, day }: JobContext,
  within: number,
  progress: TellProgress,
): Promise<void> {
  const at = now.toISOString()
  const context = systemContext({ now })
  const due = instantAt(addDays(day, within), '18:00', timeZone)
  await inTurn(outcome.changes, BATCH, stageOf(progress, STAGES.changes, outcome.changes.length), (changes) =>
    engine.transaction(context, async (entities, tx) => {
      await entities.insertMany(
        'crm.churnRecord',
        changes.map(({ customer, product, step, baseline, last30, drop }) => ({
          id: newId(),
          customerId: customer.id,
          product,
          kind: step,
          at,
          baseline,
          last30,
          dropPct: drop,
          createdAt: at,
          createdBy: null,
        })),
      )
      await notify(
        tx,
        changes.flatMap((change) => todosOf(change, day, due, productNames(engine))),
        now,
      )
    }),
  )
  await inTurn(outcome.recovered, BATCH, stageOf(progress, STAGES.recovered, outcome.recovered.length), (ids) =>
    engine.transaction(
      context,
      (entities) =>
        entities.changeMany('crm.churnRecord', new Map(ids.map((id) => [id, { recoveredAt: at }])), { reason: 'crm.churn' }),
      { retries: 3 },
    ),
  )
  await inTurn(outcome.stages, BATCH, stageOf(progress, STAGES.stages, outcome.stages.length), (stages) =>
    engine.transaction(
      context,
      (entities) =>
        entities.changeMany('crm.customer', new Map(stages.map(({ customer, to }) => [customer.id, { stage: to }])), {
          reason: 'crm.churn',
        }),
      { retries: 3 },
    ),
  )
}

type ProductName = (product: string | null) => Text | null
export const productNames =
  (engine: EntityEngine): ProductName =>
  (product) =>
    product === null ? null : engine.dictionaryLabel('product', product)

/** Where the falls of a customer and their causes stand. */
const churnTab = (customerId: string): string => `${customerPage(customerId)}&tab=churn`

function todosOf({ customer, product, step, drop }: ChurnChange, day: string, due: Date, nameOf: ProductName): Notice[] {
  const name = nameOf(product)
  const say = (zh: string, en: string): Text => ({
    zh: `${zh}${STEPS[step].zh}，下降 ${drop}%${step === 'wonBack' ? '' : '，请填写原因'}。`,
    en: `${en}: ${STEPS[step].en.toLowerCase()}, down ${drop} %${step === 'wonBack' ? '' : ': say why'}.`,
  })
  const [zh, en] = [name ? ` ${name.zh}` : '', name ? ` ${name.en}` : '']
  const base = {
    type: '5',
    subject: { entity: 'crm.customer', id: customer.id },
    link: churnTab(customer.id),
    title: say(`${customer.name}${zh}（${customer.code}）`, `${customer.name}${en} (${customer.code})`),
    plain: { title: say(`${customer.code}${zh}`, `${customer.code}${en}`) },
  }
  const key = `churn/${customer.id}/${product ?? 'all'}/${step}/${day}`
  return [
    ...(customer.ownerId
      ? [
          {
            ...base,
            staffId: customer.ownerId,
            ...(step === 'wonBack' ? { kind: 'churn', todo: false } : { kind: 'churnCause' }),
            dueAt: due,
            key,
          },
        ]
      : []),
    ...(customer.leaderId && customer.leaderId !== customer.ownerId
      ? [{ ...base, staffId: customer.leaderId, kind: 'churn', todo: false, key: `${key}/leader` }]
      : []),
  ]
}

/** No cause in time: the leader's task. */
async function remindOfCauses({ database, timeZone }: ChurnParts, { now, day }: JobContext, within: number): Promise<void> {
  const { rows } = await database.query<{ id: string; customerId: string; code: string; name: string; leaderId: string }>(
    `select r.id, r.customer_id as "customerId", c.code, c.name, d.leader_id as "leaderId"
     from crm_churn_record r join crm_customer c on c.id = r.customer_id join ${tableOf('sys.department')} d on d.id = c.owner_dept_id
     where r.cause is null and r.kind <> 'wonBack' and r.recovered_at is null and r.deleted_at is null and c.owner_id is not null
       and d.leader_id is not null and r.at < $1 and r.at >= $2`,
    [startOfDay(addDays(day, -within), timeZone), startOfDay(addDays(day, -within - 30), timeZone)],
  )
  await notify(
    database,
    rows.map((row) => ({
      staffId: row.leaderId,
      kind: 'churnCause',
      title: {
        zh: `${row.name}（${row.code}）的流失原因逾期未填写。`,
        en: `Nobody has said why ${row.name} (${row.code}) fell; the time is over.`,
      },
      plain: {
        title: {
          zh: `${row.code} 的流失原因逾期未填写。`,
          en: `Nobody has said why ${row.code} fell; the time is over.`,
        },
      },
      subject: { entity: 'crm.customer', id: row.customerId },
      link: churnTab(row.customerId),
      key: `churnCause/${row.id}/leader`,
    })),
    now,
  )
}

const REVENUE = ['fin.customerMonth.revenue']

/** Figures and rows of a run, or of what a rule would do. */
export function churnReport(outcome: ChurnOutcome, nameOf: ProductName): JobReport {
  const count = (step: ChurnStep) => ({
    id: step,
    title: STEPS[step],
    value: outcome.changes.filter((change) => change.step === step).length,
  })
  return {
    figures: [
      count('warning'),
      count('silent'),
      count('churned'),
      count('wonBack'),
      { id: 'recovered', title: { zh: '预警解除', en: 'Warnings over' }, value: outcome.recovered.length },
      { id: 'stages', title: { zh: '阶段变化', en: 'Stages changed' }, value: outcome.stages.length },
    ],
    columns: [
      { id: 'customer', title: { zh: '客户', en: 'Customer' }, kind: 'customer' },
      { id: 'product', title: { zh: '产品', en: 'Product' } },
      { id: 'step', title: { zh: '步骤', en: 'Step' } },
      { id: 'baseline', title: { zh: '基线 USD', en: 'Baseline USD' }, kind: 'number', of: REVENUE },
      { id: 'last30', title: { zh: '近30天 USD', en: 'Last 30 d USD' }, kind: 'number', of: REVENUE },
      { id: 'drop', title: { zh: '降幅 %', en: 'Drop %' }, kind: 'number', of: REVENUE },
      { id: 'owner', title: { zh: '负责人', en: 'Owner' } },
    ],
    rows: outcome.changes.slice(0, MOST_ROWS).map(({ customer, product, step, baseline, last30, drop }) => ({
      id: customer.id,
      customer: `${customer.name} (${customer.code})`,
      product: nameOf(product),
      step,
      baseline,
      last30,
      drop,
      owner: customer.owner,
    })),
    more: Math.max(0, outcome.changes.length - MOST_ROWS),
  }
}
