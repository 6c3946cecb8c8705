import { systemContext } from '../gateway/platform/http'
import type { EntityRecord } from '../gateway/entities'
import { trip } from '../tests/integration/gateway/workflow/support'
import { startGateway, type Caller } from '../tests/support/gateway'
import { percentile } from './gatewayServer'

/**
 * A person's lists of approvals among 10,000 running applications and 100,000 tasks, and actions a second beside them, over HTTP with a
 * session: `npx tsx bench/approvals.ts [applications] [tasks] [people] [clients]`; the method stands in bench/README.md.
 */
const [applications = 10_000, tasks = 100_000, people = 200, clients = 8] = process.argv.slice(2).map(Number)
const TURNS = 200
/** Applications that are submitted and agreed to in the measurement of actions, and actions a second that are asked for. */
const ACTED = 400
const ACTIONS = 50

const test = await startGateway()
const { engine, database } = test.gateway
const callers = new Map<string, Caller>()
for (const [id, jobNumber] of [
  ['p0', 'B0000'],
  ['p1', 'B0001'],
  ['boss', 'B0002'],
] as const) {
  await test.addStaff({ id, jobNumber, keys: ['wf:design'] })
  callers.set(id, await test.signIn(jobNumber))
}

const saved = await callers.get('p0')!.post<{ id: string }>('/v2/workflow/process/save', { document: trip('benchTrip') })
const { rows } = await database.query<{ versionId: string }>(
  'select current_version_id as "versionId" from wf_process where id = $1',
  [saved.data.id],
)
const now = Date.now()
const at = (index: number) => new Date(now - (index + 1) * 60_000).toISOString()
/** The first person gets every twentieth task: 500 open ones. */
const person = (index: number) => (index % 20 === 0 ? 'p0' : `p${1 + (index % (people - 1))}`)

await engine.transaction(systemContext({ now: new Date(now) }), async (entities) => {
  const fill = async (entity: string, count: number, row: (index: number) => EntityRecord) => {
    for (let start = 0; start < count; start += 2_000)
      await entities.insertMany(
        entity,
        Array.from({ length: Math.min(2_000, count - start) }, (_, offset) => row(start + offset)),
      )
  }
  await fill('wf.instance', applications, (index) => ({
    id: `i${index}`,
    createdAt: at(index),
    code: `BT${index}`,
    titleZh: `出差 ${index}`,
    titleEn: `Trip ${index}`,
    processId: saved.data.id,
    versionId: rows[0]!.versionId,
    applicantId: person(index + 1),
    status: 'running',
    urgency: index % 30 === 0 ? 'urgent' : 'normal',
    round: 1,
    startedAt: at(index),
    effectStatus: 'none',
  }))
  await fill('wf.task', tasks, (index) => {
    const open = index < applications
    return {
      id: `t${index}`,
      createdAt: at(index),
      instanceId: `i${index % applications}`,
      processId: saved.data.id,
      nodeId: open ? 'clerk' : `step${Math.floor(index / applications)}`,
      nodeNameZh: '行政',
      nodeNameEn: 'Office',
      kind: 'approve',
      assigneeId: person(index),
      source: 'normal',
      status: open ? 'pending' : 'agreed',
      action: open ? null : 'agree',
      round: 1,
      arrivedAt: at(index),
      dueAt: new Date(now + (index % 100) * 3_600_000).toISOString(),
      endedAt: open ? null : at(index),
      urged: 0,
    }
  })
})
await database.query('analyze wf_task')
await database.query('analyze wf_instance')

async function measure(name: string, who: string, path: string, body: (turn: number) => object): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const started = performance.now()
    const { code } = await callers.get(who)!.post(`/v2/workflow/my/${path}`, body(turn))
    if (code !== 0) throw new Error(`${name}: ${code}`)
    times.push(performance.now() - started)
  }
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
  console.log(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
  return times
}

/** Applications that `clients` people submit, each agreed to by somebody else: actions a second, and the slowest part of them. */
async function actions(): Promise<number> {
  const times: number[] = []
  const [applicant, approver] = [callers.get('p0')!, callers.get('boss')!]
  const timed = async <Data>(caller: Caller, call: string, body: object): Promise<Data> => {
    const begun = performance.now()
    const { code, data, text } = await caller.post<Data>(`/v2/workflow/operate/${call}`, body)
    if (code !== 0) throw new Error(`${call}: ${text}`)
    times.push(performance.now() - begun)
    return data
  }
  let left = ACTED
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const asked = {
        processId: saved.data.id,
        formData: { destination: 'Oslo', cost: '120' },
        pickedAssignees: { clerk: ['boss'] },
      }
      const { instanceId } = await timed<{ instanceId: string }>(applicant, 'start', asked)
      await timed(approver, 'agree', { instanceId })
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  const rate = times.length / ((performance.now() - begun) / 1_000)
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
  console.log(`actions, ${clients} clients: ${rate.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
  return rate
}

const results = [
  await measure('to-do of 500, any page', 'p0', 'toDoPage', (turn) => ({ pageNum: 1 + (turn % 25) })),
  await measure('to-do of 500, by due', 'p0', 'toDoPage', () => ({ sort: { field: 'dueAt', order: 'asc' } })),
  await measure('to-do of 500, keyword', 'p0', 'toDoPage', (turn) => ({ keyword: `出差 ${turn}` })),
  await measure('to-do of 50', 'p1', 'toDoPage', () => ({})),
  await measure('decided, 4,500', 'p0', 'handlePage', (turn) => ({ pageNum: 1 + (turn % 20) })),
  await measure('applied for', 'p1', 'applyPage', () => ({})),
  await measure('counts', 'p0', 'summary', () => ({})),
]
const rate = await actions()
await test.close()
process.exitCode = rate >= ACTIONS && results.every((times) => percentile(times, 0.95) <= 50) ? 0 : 1
