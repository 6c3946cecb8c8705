import type { DemoWorld } from '../../demo'
import { newId, type Executor } from '../../platform/database'
import type { WorkflowParts } from '../parts'
import { counted, teamScenes } from './desk'
import { addEarlierVersions } from './earlier'
import { holder } from './holder'
import { addOperations } from './operations'
import { Player, type Fate, type Scene } from './play'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Whose applications they are: by process, a position that starts it; all others are started by sales people. */
const STARTERS: Readonly<Record<string, string>> = {
  payment: 'buyer',
  bodyReplace: 'buyer',
  supplierQuote: 'buyer',
  srmAccountTransfer: 'buyer',
  srmSupplierTransfer: 'buyer',
  srmApplication: 'buyer',
  srmRewrite: 'noc',
  manualRecharge: 'finance',
  adjustment: 'finance',
  writeOff: 'finance',
}

/** The processes of money 8.0: each is shown at every stage. */
const AT_EVERY_STAGE = [
  'prepay',
  'postpay',
  'deferral',
  'payMethod',
  'billChange',
  'recharge',
  'payment',
  'hedge',
  'bodyReplace',
  'special',
  'supplierQuote',
  'classA',
  'workOrder',
  'generic',
]
const STAGES: readonly Fate[] = ['done', 'first', 'last', 'returned', 'rejected', 'withdrawn']
/** What somebody has begun and not submitted, and what an administrator ended. */
const DRAFTS = ['generic', 'prepay', 'recharge', 'postpay', 'special', 'deferral', 'generic', 'recharge', 'hedge']
const TERMINATED = ['generic', 'recharge', 'postpay']
const AMOUNTS = ['3000', '12000', '80000', '26000', '450']
/** Finished applications altogether, at scale 1: those that were played and others like them in the months before. */
const FINISHED = 520
const MONTHS = 16

/**
 * Applications of the demo company (money 15): every process at its stages, played by the engine at the moments at which they happened, and many
 * more that were finished in the months before. One that cannot be played is left out and told.
 */
export async function addApplications(
  parts: WorkflowParts,
  world: Pick<DemoWorld, 'now' | 'staff' | 'timeZone' | 'scale'>,
): Promise<void> {
  const { database } = parts
  const manager = managerOf(world)
  await addEarlierVersions(parts, world)
  const player = new Player(parts, world)
  const play = (scene: Scene) =>
    player
      .play(scene)
      .catch((error: unknown) => parts.onError(error, `the demo application ${scene.process} ${scene.fate} could not be played`))
  for (const scene of await scenesOf(database, world)) await play(scene)
  for (const scene of teamScenes(world)) await play(scene)
  await counted.applied(database, manager, (index) =>
    play({
      process: index % 2 === 0 ? 'generic' : 'recharge',
      fate: 'first',
      applicantId: manager,
      amount: AMOUNTS[index % AMOUNTS.length]!,
      startedAt: new Date(world.now.getTime() - (3 + index) * HOUR),
    }),
  )
  await failSome(database, world.now)
  const finished = Math.round(FINISHED * world.scale)
  await repeatFinished(database, world, { finished, handledBy: manager })
  await player.keepNumbers()
  await leaveOne(database, world.now, manager)
  await addOperations(parts, world.now)
  await readOlder(database, world.now)
  await counted.copied(database, manager)
}

/** Whose lists are as long as those of somebody who leads a team (money 15): the head of the first sales region. */
const managerOf = (world: Pick<DemoWorld, 'staff'>): string => holder(world, 'salesLead')

async function scenesOf(db: Executor, world: Pick<DemoWorld, 'now' | 'staff'>): Promise<Scene[]> {
  // what decides about a record begins with that record, in the rows of its module
  const { rows } = await db.query<{ code: string }>(
    `select p.code from wf_process p join wf_process_version v on v.process_id = p.id and v.no = p.version_no
       where p.deleted_at is null and v.document::jsonb->'decides' is null order by p.sort, p.code`,
  )
  const { now, staff } = world
  const sellers = staff.filter(({ position, status }) => position === 'sales' && status === 'active').map(({ id }) => id)
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR)
  const stages = rows.flatMap(({ code }, row) => {
    const starter = STARTERS[code]
    const all = AT_EVERY_STAGE.includes(code) ? STAGES : (['done', 'first'] as const)
    // what somebody has begun to handle is not withdrawn any more (money 8.0)
    const fates = all.filter((fate) => code !== 'workOrder' || fate !== 'withdrawn')
    return fates.map((fate, index): Scene => {
      const number = row * STAGES.length + index
      const open = fate === 'first' || fate === 'last' || fate === 'returned'
      return {
        process: code,
        fate,
        applicantId: starter
          ? holder(world, starter)
          : all.length > 2 && code !== 'workOrder' && (fate === 'last' || fate === 'returned')
            ? managerOf(world)
            : sellers[row % sellers.length]!,
        amount: AMOUNTS[number % AMOUNTS.length]!,
        startedAt: open ? ago(30 + (number % 40)) : ago(24 * (4 + (number % 50)) + (number % 9)),
        ...(fate === 'first' && row % 5 === 0 ? { urgent: true } : {}),
        ...(fate === 'done' && row % 4 === 1 ? { slow: true } : {}),
      }
    })
  })
  // the lawyer is away: her tasks are with her colleague
  const away = ['contractReview', 'postpay'].map((process, index): Scene => ({
    process,
    fate: 'delegated',
    applicantId: sellers[index]!,
    amount: AMOUNTS[2]!,
    startedAt: ago(20),
  }))
  const further = [
    ...DRAFTS.map((process, index) => ({ process, fate: 'draft' as const, index })),
    ...TERMINATED.map((process, index) => ({ process, fate: 'terminated' as const, index })),
  ].map(({ process, fate, index }): Scene => ({
    process,
    fate,
    applicantId: sellers[index % sellers.length]!,
    amount: AMOUNTS[index % AMOUNTS.length]!,
    startedAt: ago(fate === 'draft' ? 6 + index * 9 : 24 * (8 + index * 5)),
  }))
  return [...stages, ...away, ...further]
}

/**
 * Finished applications of the months before, like those that were played: with their tasks, log and copies. Of those that the manager decided
 * there are as many as make his list of decisions as long as it has to be.
 */
async function repeatFinished(
  db: Executor,
  { now }: Pick<DemoWorld, 'now'>,
  { finished, handledBy }: { finished: number; handledBy: string },
): Promise<void> {
  const { rows } = await db.query<{ id: string; his: number }>(
    `select i.id, (select count(*) from wf_task t where t.instance_id = i.id and t.assignee_id = $1 and t.status in ('agreed', 'done'))::int as his
       from wf_instance i where i.status in ('done', 'agreed') and i.deleted_at is null order by i.code`,
    [handledBy],
  )
  const played = rows.length
  if (played === 0) return
  const others = rows.filter(({ his }) => his === 0)
  const his = rows.filter((row) => row.his === 1)
  const lacking = his.length === 0 ? 0 : await counted.decisionsLacking(db, handledBy)
  const sources = [
    ...Array.from({ length: lacking }, (_, index) => ({ from: his, index })),
    ...Array.from({ length: Math.max(0, finished - played - lacking) }, (_, index) => ({ from: others, index })),
  ]
  const copies = sources.map(({ from, index: turn }, index) => ({
    of: from[turn % from.length]!.id,
    suffix: `-${Math.floor(turn / from.length) + 1}`,
    // never two of one process at one moment, and none after today
    shift: `${Math.round(((index + 1) / finished) * MONTHS * 30) + 1} days ${index % 7} hours`,
    number: index + 1,
  }))
  const given = [JSON.stringify(copies), now.toISOString()]
  const source = `jsonb_to_recordset($1::jsonb) as c(of text, suffix text, shift interval, number int)`
  await db.transaction(async (tx) => {
    await repeat(tx, { table: 'wf_instance', key: 'id', given, source })
    for (const table of ['wf_task', 'wf_action_log', 'wf_cc']) await repeat(tx, { table, key: 'instance_id', given, source })
  })
}

/** Columns that name another row of the same application. */
const OWN_IDS = new Set(['id', 'instance_id', 'task_id'])

async function repeat(
  tx: Executor,
  { table, key, given, source }: { table: string; key: string; given: unknown[]; source: string },
): Promise<void> {
  const { rows } = await tx.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns where table_name = $1 and table_schema = current_schema() and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const columns = rows.map(({ name }) => `"${name}"`).join(', ')
  const values = rows.map(({ name, type }) => {
    if (OWN_IDS.has(name)) return `t."${name}" || c.suffix`
    if (table === 'wf_instance' && name === 'code')
      return `regexp_replace(t.code, '[0-9]{12}$', '') || to_char(t.started_at - c.shift, 'YYYYMMDD') || lpad((5000 + c.number)::text, 4, '0')`
    return type.startsWith('timestamp') ? `t."${name}" - c.shift` : `t."${name}"`
  })
  await tx.query(
    `insert into ${table} (${columns}) select ${values.join(', ')} from ${source} join ${table} t on t.${key} = c.of where t.created_at <= $2::timestamptz`,
    given,
  )
}

/** Two whose decision stands while what they should do failed: their accounts were closed in between. */
async function failSome(db: Executor, now: Date): Promise<void> {
  const error = '账户已销户，不能入账。'
  const { rows } = await db.query<{ id: string }>(
    `update wf_instance set status = 'effectFailed', effect_status = 'failed', effect_error = $1 where id in
       (select i.id from wf_instance i join wf_process p on p.id = i.process_id where p.code in ('recharge', 'prepay') and i.status in ('done', 'agreed')
          and i.deleted_at is null and i.id not like '%-%' order by i.started_at desc limit 2) returning id`,
    [error],
  )
  for (const { id } of rows)
    await db.query(
      `insert into wf_effect_run (id, instance_id, step, idem_key, status, tries, error, at, created_at, updated_at, version)
         values ($1, $2, 'agreed', $3, 'failed', 5, $4, $5, $5, $5, 1)`,
      [newId(), id, `wf:${id}:agreed`, error, now.toISOString()],
    )
}

/** One that is 30 hours late although it was urged three times. */
async function leaveOne(db: Executor, now: Date, manager: string): Promise<void> {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR).toISOString()
  const { rows } = await db.query<{ id: string; instanceId: string; byId: string }>(
    `update wf_task t set due_at = $1, urged = 3 from wf_instance i where i.id = t.instance_id and t.id =
       (select o.id from wf_task o join wf_instance oi on oi.id = o.instance_id and oi.status = 'running' and oi.urgency = 'urgent'
         where o.status = 'pending' order by o.assignee_id = $2 desc, o.arrived_at limit 1) returning t.id, t.instance_id as "instanceId", i.applicant_id as "byId"`,
    [ago(30), manager],
  )
  for (const { id, instanceId, byId } of rows)
    for (const hours of [26, 20, 5])
      await db.query(
        `insert into wf_urge (id, instance_id, task_id, by_id, at, text, created_at, updated_at, version) values ($1, $2, $3, $4, $5, '客户在等，请尽快处理', $5, $5, 1)`,
        [newId(), instanceId, id, byId, ago(hours)],
      )
}

/** What came more than some days ago has been read. */
async function readOlder(db: Executor, now: Date): Promise<void> {
  const days = new Date(now.getTime() - 3 * DAY).toISOString()
  await db.query(`update wf_cc set read_at = at + interval '5 hours' where read_at is null and at < $1`, [days])
  await db.query(
    `update wf_task set read_at = coalesce(ended_at, arrived_at + interval '1 hour') where read_at is null and arrived_at < $1`,
    [days],
  )
}
