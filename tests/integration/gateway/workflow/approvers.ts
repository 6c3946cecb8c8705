import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import type { Answer, Caller, TestGateway } from '../../../support/gateway'

/** Who asks, his leader, and who holds every approval role. */
export const PEOPLE = ['applicant', 'leader', 'holder'] as const
export type Who = (typeof PEOPLE)[number]

/** Puts the three into a company, the holder into every role. */
export async function approvers(test: TestGateway, keys: string[]): Promise<Record<Who, Caller>> {
  const as = {} as Record<Who, Caller>
  const { engine, database } = test.gateway
  for (const [index, id] of PEOPLE.entries()) {
    await test.addStaff({ id, jobNumber: `P${index}`, name: id, keys, scopes: { '*': ['all'] } })
    as[id] = await test.signIn(`P${index}`)
  }
  await database.query(`update sys_department set leader_id = 'leader' where code = 'HQ'`)
  const createdAt = '2026-01-01T00:00:00.000Z'
  await engine.transaction(systemContext({ now: test.clock.now() }), async (entities, tx) => {
    const roles = await tx.query<{ id: string }>('select id from wf_role where deleted_at is null')
    await entities.insertMany(
      'wf.roleMember',
      roles.rows.map(({ id: roleId }) => ({ createdAt, id: newId(), roleId, staffId: 'holder', scopeType: 'all', position: 1 })),
    )
  })
  return as
}

export interface Ended {
  status: string
  effectError: string | null
  passed: string[]
  id: string
}

/** Takes a process from its start to its end; what is refused on the way is its status. */
export async function carry(
  { test, as, starter = 'applicant' }: { test: TestGateway; as: Record<Who, Caller>; starter?: Who },
  code: string,
  formData: Record<string, unknown>,
  fills: Record<string, Record<string, unknown>> = {},
): Promise<Ended> {
  const { database } = test.gateway
  const started: Answer<{ instanceId: string }> = await as[starter].post('/v2/workflow/operate/start', { code, formData })
  if (started.code !== 0) return { status: started.text, effectError: null, passed: [], id: '' }
  const { instanceId } = started.data
  const passed: string[] = []
  for (let step = 0; step < 20; step += 1) {
    const { rows } = await database.query<{ id: string; who: Who; node: string }>(
      `select id, assignee_id as who, node_id as node from wf_task where instance_id = $1 and status = 'pending' order by created_at limit 1`,
      [instanceId],
    )
    const [task] = rows
    if (!task) break
    const answer: Answer<unknown> = await as[task.who].post('/v2/workflow/operate/agree', {
      taskId: task.id,
      comment: 'fine',
      formData: fills[task.node] ?? {},
    })
    if (answer.code !== 0) return { status: `${task.node}: ${answer.text}`, effectError: null, passed, id: instanceId }
    passed.push(task.node)
  }
  const { rows } = await database.query<{ status: string; effectError: string | null }>(
    'select status, effect_error as "effectError" from wf_instance where id = $1',
    [instanceId],
  )
  return { ...rows[0]!, passed, id: instanceId }
}
