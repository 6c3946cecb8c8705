import { expect } from 'vitest'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import type { Node, ProcessDocument } from '../../../../src/schema/generated/process'
import { formEntity, hashOf } from '../../../../src/schema/process'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../support/gateway'

/** People of the company of these tests: the applicant, his leader, the director above, finance, somebody else, the administrator. */
export const PEOPLE = ['applicant', 'leader', 'director', 'chen', 'zhou', 'gao', 'other', 'admin'] as const
export type Who = (typeof PEOPLE)[number]

export interface FlowWorld {
  gateway: TestGateway
  as: Record<Who, Caller>
  /** Puts a process into force; answers its id. Again with the same name: the next version. */
  publish(process: ProcessDocument, more?: { adminIds?: string[] }): Promise<string>
  start(code: string, formData?: object, more?: object, who?: Who): Promise<{ instanceId: string; status: string }>
  /** The open task of somebody. */
  taskOf(who: Who, instanceId: string): Promise<string | null>
  detail(who: Who, instanceId: string): Promise<Detail>
  act(who: Who, call: string, body: object): Promise<Answer<{ status: string; nextNodes: string[]; rowVersion: number }>>
  agree(who: Who, instanceId: string, more?: object): Promise<Answer<{ status: string; nextNodes: string[]; rowVersion: number }>>
  /** Lets what waits up to the clock's moment happen. */
  ring(): Promise<void>
  rows<Row extends object>(sql: string, params?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export interface Shown {
  id: string
  state: string
  assignees: { id: string; name: string; state: string; forName?: string }[]
  why?: { zh: string; en: string }
  branches?: { id: string; taken: boolean; nodes: Shown[] }[]
}

export interface Detail {
  instance: {
    id: string
    status: string
    rowVersion: number
    round: number
    amountCny: string | null
    effectStatus: string
    effectError: string | null
    title: { zh: string }
  }
  form: {
    values: Record<string, unknown>
    rights: Record<string, string>
    bundle: { entities: Record<string, unknown> }
    changed: { field: string; before: unknown; after: unknown; by: string }[]
  }
  path: Shown[]
  seenBefore?: string
  timeline: {
    at: string
    action: string
    variant?: string
    byId: string | null
    byName: string
    forName?: string
    comment: string | null
    diff: { field: string }[]
    admin: boolean
  }[]
  myTask: null | {
    taskId: string
    nodeId: string
    agreeActions: string[]
    rejectActions: string[]
    returnTargets: { nodeId: string }[]
    pick: { nodeId: string; among: { id: string }[] }[]
  }
  actions: string[]
  cc: { id: string }[]
}

export const label = (name: string) => ({ zh: name, en: name })

/** A small process about a sum of money; `nodes` stand between its start and its end. */
export function processOf(name: string, nodes: Node[], more: Partial<ProcessDocument> = {}): ProcessDocument {
  return {
    formatVersion: 3,
    name,
    label: label(name),
    group: 'ops',
    prefix: name
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 6)
      .toUpperCase(),
    form: {
      fields: {
        sum: { type: 'string', format: 'decimal', 'x-label': label('Sum') },
        approvedSum: { type: 'string', format: 'decimal', 'x-label': label('Approved sum') },
        reason: { type: 'string', maxLength: 200, 'x-label': label('Reason') },
        secret: { type: 'string', maxLength: 200, 'x-label': label('Secret') },
        person: { type: 'string', 'x-ref': 'sys.staff', 'x-label': label('Person') },
        on: { type: 'string', format: 'date', 'x-label': label('On') },
      },
      required: ['reason'],
    },
    nodes: [
      { id: 'start', kind: 'start', label: label('Start'), fieldRights: { approvedSum: 'H', secret: 'H' } },
      ...nodes,
      { id: 'end', kind: 'end' },
    ],
    ...more,
  } as ProcessDocument
}

/** A step of somebody. */
export const step = (id: string, staff: Who | Who[], more: Partial<Node> = {}): Node => ({
  id,
  kind: 'approve',
  label: label(id),
  assignees: [{ rule: 'staff', staff: [staff].flat() }],
  ...more,
})

export async function flowWorld(options: Parameters<typeof startGateway>[0] = {}): Promise<FlowWorld> {
  const gateway = await startGateway({
    ...options,
    session: {
      accessTokenSeconds: 30 * 86_400,
      refreshTokenSeconds: 60 * 86_400,
      sessionSeconds: 60 * 86_400,
      ...options.session,
    },
  })
  const { engine, database, queue } = gateway.gateway
  const at = gateway.clock.now().toISOString()
  const [hq] = (await database.query<{ id: string }>(`select id from sys_department where code = 'HQ'`)).rows
  await engine.transaction(systemContext(), (entities) =>
    entities.insertMany('sys.department', [
      {
        id: 'deptSales',
        code: 'SALES',
        name: '销售部',
        kind: 'business',
        parentId: hq!.id,
        path: `/${hq!.id}/deptSales/`,
        enabled: true,
        sortNo: 1,
      },
      {
        id: 'deptSouth',
        code: 'SOUTH',
        name: '华南组',
        kind: 'business',
        parentId: 'deptSales',
        path: `/${hq!.id}/deptSales/deptSouth/`,
        enabled: true,
        sortNo: 2,
      },
    ]),
  )
  const as = {} as Record<Who, Caller>
  for (const [index, id] of PEOPLE.entries()) {
    const mainDeptId = id === 'applicant' || id === 'leader' ? 'deptSouth' : id === 'director' ? 'deptSales' : undefined
    await gateway.addStaff({
      id,
      jobNumber: `F${index}`,
      name: id,
      ...(mainDeptId ? { mainDeptId } : {}),
      keys: id === 'admin' ? ['wf:admin'] : [],
    })
    as[id] = await gateway.signIn(`F${index}`)
  }
  await database.query(
    `update sys_department set leader_id = case id when 'deptSouth' then 'leader' when 'deptSales' then 'director' end where id in ('deptSouth', 'deptSales')`,
  )
  await database.query(`update sys_department set path = '/' || id || '/' where id = $1 and path is null`, [hq!.id])

  const world: FlowWorld = {
    gateway,
    as,
    publish: (process, more = {}) =>
      engine.transaction(systemContext({ now: gateway.clock.now() }), async (entities, tx) => {
        const { rows } = await tx.query<{ id: string; no: number }>(
          'select id, version_no as no from wf_process where code = $1',
          [process.name],
        )
        const id = rows[0]?.id ?? newId()
        const no = Number(rows[0]?.no ?? 0) + 1
        const versionId = newId()
        if (!rows[0])
          await entities.insertMany('wf.process', [
            {
              id,
              code: process.name,
              nameZh: process.name,
              nameEn: process.name,
              groupCode: process.group,
              state: 'enabled',
              source: 'admin',
              adminIds: more.adminIds ?? [],
              versionNo: no,
            },
          ])
        await entities.insertMany('wf.processVersion', [
          {
            id: versionId,
            processId: id,
            no,
            document: JSON.stringify(process),
            hash: hashOf(process).slice(-64),
            formHash: JSON.stringify(formEntity(process)).length.toString(),
            source: 'admin',
            publishedAt: at,
          },
        ])
        await tx.query('update wf_process set current_version_id = $2, version_no = $3 where id = $1', [id, versionId, no])
        return id
      }),
    start: async (code, formData = {}, more = {}, who = 'applicant') => {
      const answer = await as[who].post<{ instanceId: string; status: string }>('/v2/workflow/operate/start', {
        code,
        formData: { reason: 'because it is so', ...formData },
        ...more,
      })
      expect(answer.code, answer.text).toBe(0)
      return answer.data
    },
    taskOf: async (who, instanceId) =>
      (await as[who].post<string | null>('/v2/workflow/operate/select/currentTaskId', { instanceId })).data,
    detail: async (who, instanceId) => {
      const answer = await as[who].post<Detail>('/v2/workflow/operate/instanceDetail', { instanceId })
      expect(answer.code, answer.text).toBe(0)
      return answer.data
    },
    act: (who, call, body) => as[who].post(`/v2/workflow/operate/${call}`, body),
    agree: async (who, instanceId, more = {}) => {
      const taskId = await world.taskOf(who, instanceId)
      expect(taskId, `${who} has a task`).not.toBeNull()
      const answer = await world.act(who, 'agree', { taskId, ...more })
      expect(answer.code, answer.text).toBe(0)
      return answer
    },
    ring: async () => void (await queue.hurry(['wf.timer'])),
    rows: async <Row extends object>(sql: string, params: unknown[] = []) => (await database.query<Row>(sql, params)).rows,
    close: () => gateway.close(),
  }
  return world
}
