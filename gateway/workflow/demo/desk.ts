import type { DemoWorld } from '../../demo'
import { newId, type Executor } from '../../platform/database'
import { holder } from './holder'
import type { Deed, Fate, Scene } from './play'

const HOUR = 3_600_000

/** How long the lists of the head of the first sales region are (money 15). */
export const DESK = { todo: 7, applied: 23, copies: 12, handled: 41 } as const

const AGREE: Deed = { do: 'agree' }

/** What lies on the desk of the head of the first sales region, and the cases of approvals that somebody looks for by name (money 15). */
export function teamScenes(world: Pick<DemoWorld, 'now' | 'staff'>): Scene[] {
  const { now } = world
  const manager = holder(world, 'salesLead')
  // he leads the team leads below him: what they apply for begins with him
  const lead = holder(world, 'salesLead', 1)
  const sellers = world.staff.filter(({ position, status }) => position === 'sales' && status === 'active').map(({ id }) => id)
  const [first = lead, second = lead, third = lead] = sellers
  const buyer = holder(world, 'buyer')
  const scene = (process: string, applicantId: string, hoursAgo: number, more: Partial<Scene> & { fate?: Fate } = {}): Scene => ({
    process,
    applicantId,
    fate: 'first',
    amount: '26000',
    startedAt: new Date(now.getTime() - hoursAgo * HOUR),
    ...more,
  })
  const todo = [
    scene('postpay', lead, 46, { amount: '80000', urgent: true }),
    scene('prepay', lead, 5, { amount: '12000', version: 2 }),
    scene('special', lead, 3, { amount: '450' }),
    // others ask him
    scene('generic', first, 22, { deeds: [{ do: 'transmit', to: manager, comment: '这个客户由您那边跟进，请您定夺' }] }),
    scene('deferral', second, 30, {
      amount: '36000',
      deeds: [AGREE, { do: 'opinion', to: manager, comment: '该客户上月刚延期过，请说明是否仍支持' }],
    }),
    // versions from before: two of three have to agree, one has; the second of three in their order
    scene('crmBlacklist', third, 52, { version: 1, deeds: [AGREE, AGREE] }),
    scene('contractReview', second, 27, { version: 1, amount: '120000', deeds: [AGREE] }),
  ]
  const handled = (['postpay', 'generic', 'prepay', 'classA', 'deferral', 'billRefund'] as const).map((process, index) =>
    scene(process, lead, 24 * (5 + index * 2), { fate: 'done', amount: ['12000', '3000', '26000'][index % 3]! }),
  )
  const named = [
    ...[0, 1, 2].map((index) => scene('prepay', sellers[3 + index] ?? first, 4 + index * 3, { version: 2, amount: '3000' })),
    scene('prepay', sellers[6] ?? first, 26, { version: 2, amount: '12000', deeds: [AGREE] }),
    scene('deferral', first, 20, {
      amount: '12000',
      deeds: [AGREE, { do: 'transmit', to: holder(world, 'finance', 1), comment: '应收由你核对，请你决定' }],
    }),
    // a branch of two is through, the other is not
    scene('hedge', buyer, 40, { amount: '80000', deeds: [AGREE, AGREE] }),
    // waits for its day
    scene('billChange', second, 24, { deeds: [{ do: 'agreeAll' }] }),
    // less was agreed to than was asked for
    scene('postpay', third, 50, {
      amount: '80000',
      deeds: [
        AGREE,
        AGREE,
        { do: 'agree', values: { riskLevel: 'medium', approvedLimit: '65000' }, comment: '按近三个月回款，同意 65,000' },
        { do: 'comment', by: third, to: holder(world, 'finance'), comment: '@信控 客户可以补一份银行流水，是否有帮助？' },
      ],
    }),
    // alike, so that they can be agreed to together
    ...Array.from({ length: 6 }, (_, index) =>
      scene('adjustment', holder(world, 'finance'), 6 + index, { amount: String(300 + index * 40), deeds: [AGREE] }),
    ),
  ]
  return [...todo, ...handled, ...named]
}

const count = async (db: Executor, statement: string, staffId: string): Promise<number> => {
  const { rows } = await db.query<{ total: number }>(statement, [staffId])
  return Number(rows[0]?.total ?? 0)
}

/** Brings the lists of a person to their length. */
export const counted = {
  /** Further applications of his, until as many are open as have to be. */
  async applied(db: Executor, staffId: string, play: (index: number) => Promise<unknown>): Promise<void> {
    const open = await count(
      db,
      `select count(*) as total from wf_instance where applicant_id = $1 and status in ('running', 'returned') and deleted_at is null`,
      staffId,
    )
    for (let index = 0; index < DESK.applied - open; index += 1) await play(index)
  },

  /** How many decisions of his are lacking. */
  async decisionsLacking(db: Executor, staffId: string): Promise<number> {
    const handled = await count(
      db,
      `select count(*) as total from wf_task where assignee_id = $1 and status in ('agreed', 'rejected', 'returned', 'transmitted', 'done') and deleted_at is null`,
      staffId,
    )
    return Math.max(0, DESK.handled - handled)
  },

  /** Copies of what was finished last, as many unread as have to be, and some that he has read. */
  async copied(db: Executor, staffId: string): Promise<void> {
    const read = 20
    const { rows } = await db.query<{ id: string; at: Date }>(
      `select i.id, i.ended_at as at from wf_instance i where i.status in ('done', 'agreed') and i.applicant_id <> $1 and i.deleted_at is null
         and not exists (select 1 from wf_task t where t.instance_id = i.id and t.assignee_id = $1)
         and not exists (select 1 from wf_cc c where c.instance_id = i.id and c.staff_id = $1)
       order by i.ended_at desc limit $2`,
      [staffId, DESK.copies + read],
    )
    const copies = rows.map(({ id, at }, index) => ({ id: newId(), instanceId: id, at, read: index >= DESK.copies }))
    await db.query(
      `insert into wf_cc (id, instance_id, staff_id, at, read_at, created_at, updated_at, version)
         select c.id, c."instanceId", $1, c.at, case when c.read then c.at + interval '3 hours' end, c.at, c.at, 1
         from jsonb_to_recordset($2::jsonb) as c(id text, "instanceId" text, at timestamptz, read boolean)`,
      [staffId, JSON.stringify(copies)],
    )
    await db.query(
      `update wf_cc set read_at = at + interval '2 hours' where staff_id = $1 and read_at is null and not id = any($2::text[])`,
      [staffId, copies.map(({ id }) => id)],
    )
  },
}
