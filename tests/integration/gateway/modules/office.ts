import { expect } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import type { ModuleJob } from '../../../../gateway/modules/module'
import { addDays, dayOf, instantAt, type Day } from '../../../../gateway/platform/calendar'
import { readConfiguration } from '../../../../gateway/platform/configuration'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { PASSWORD, startGateway, type Answer, type Caller, type TestGateway } from '../../../support/gateway'

/** The zone of the company's days. */
export const ZONE = 'Asia/Shanghai'

/** Who works here: the one shipped role that each holds, the team, and what he approves. The first of a team leads it. */
export const PEOPLE = {
  boss: { role: 'generalManager', team: 'HQ', approves: ['ceo'] },
  admin: { role: 'administrator', team: 'HQ', approves: ['it.admin'] },
  legal: { role: 'risk', team: 'HQ', approves: ['legal'] },
  salesLead: { role: 'salesManager', team: 'SALES', approves: ['sales.leader', 'sales.director'] },
  seller: { role: 'sales', team: 'SALES', approves: [] },
  otherSeller: { role: 'sales', team: 'SALES', approves: [] },
  buyerLead: { role: 'procurementManager', team: 'SUPPLY', approves: ['buy.leader'] },
  buyerDirector: { role: 'procurementManager', team: 'SUPPLY', approves: ['buy.director'] },
  buyer: { role: 'procurement', team: 'SUPPLY', approves: [] },
  operator: { role: 'operations', team: 'OPS', approves: ['noc.lead'] },
  pricing: { role: 'operations', team: 'OPS', approves: ['price.manager'] },
  financeLead: { role: 'finance', team: 'FINANCE', approves: ['fin.manager'] },
  receivables: { role: 'finance', team: 'FINANCE', approves: ['fin.ar'] },
  payables: { role: 'finance', team: 'FINANCE', approves: ['fin.ap'] },
  cashier: { role: 'finance', team: 'FINANCE', approves: ['cashier'] },
  serviceLead: { role: 'service', team: 'CSC', approves: ['cs.lead'] },
  service: { role: 'service', team: 'CSC', approves: [] },
} as const
export type Person = keyof typeof PEOPLE

const NAMES = Object.keys(PEOPLE) as Person[]
const TEAMS = { SALES: 'sales', SUPPLY: 'purchase', OPS: 'operations', FINANCE: 'finance', CSC: 'service' } as const
const ENGLISH = { 'accept-language': 'en' }

/** What somebody fills in at his step of an application, by step; asked for when it comes to it. */
export type Fills = Record<string, () => Promise<object> | object>
/** A recorded application: who decided which step, in their order. */
export interface Carried {
  instanceId: string
  steps: string[]
}

/** A gateway without a demo world, in which everybody holds one role as it is shipped and nothing else. */
export class Office {
  private readonly signedIn = new Map<Person, Promise<Caller>>()
  constructor(readonly test: TestGateway) {}

  as(person: Person): Promise<Caller> {
    const caller = this.signedIn.get(person) ?? this.test.signIn(person)
    this.signedIn.set(person, caller)
    return caller
  }

  now = (): Date => this.test.clock.now()
  /** The company's day so many days from today. */
  day = (days = 0): Day => addDays(dayOf(this.now(), ZONE), days)
  /** A moment so many seconds ago. */
  ago = (seconds: number): string => new Date(this.now().getTime() - seconds * 1000).toISOString()

  /** Turns the clock; sessions are begun anew. */
  until(day: Day, time = '12:00'): void {
    this.test.clock.forward((instantAt(day, time, ZONE).getTime() - this.now().getTime()) / 1000)
    this.signedIn.clear()
  }

  async rows<Row extends object = EntityRecord>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    return (await this.test.gateway.database.query<Row>(text, params)).rows
  }

  run(job: ModuleJob): Promise<unknown> {
    const { engine, database } = this.test.gateway
    const at = { now: this.now(), day: this.day(), dry: false, startedBy: null }
    return job({ engine, database, configuration: readConfiguration({}) }).run(at, () => undefined)
  }

  async tries<T>(person: Person, entity: string, call: string, body: object): Promise<Answer<T>> {
    return (await this.as(person)).post<T>(`${pathOf(entity)}/${call}`, body, ENGLISH)
  }

  /** Saves a record as a form does. */
  async save(person: Person, entity: string, values: object): Promise<string> {
    return good(person, `save ${entity}`, await this.tries<{ id: string }>(person, entity, 'save', values)).id
  }

  async move(person: Person, entity: string, id: string, transition: string, values: object = {}): Promise<void> {
    good(person, `${transition} ${entity}`, await this.tries(person, entity, 'stateUpdate', { ids: [id], transition, values }))
  }

  /** Whether the gateway refuses a step to somebody. */
  async refuses(person: Person, entity: string, call: string, body: object): Promise<boolean> {
    return (await this.tries(person, entity, call, body)).code !== 0
  }

  /** What somebody finds in a list. */
  async find(person: Person, entity: string, field: string, value: unknown): Promise<EntityRecord[]> {
    const asked = { pageNo: 1, pageSize: 20, where: [{ field, operator: 'eq', value }] }
    return good(person, `list ${entity}`, await this.tries<{ records: EntityRecord[] }>(person, entity, 'queryPage', asked))
      .records
  }

  /** What somebody finds where a field asks him to choose one. */
  async choices(person: Person, entity: string, keyword: string): Promise<string[]> {
    const answer = await this.tries<{ id: string }[]>(person, entity, 'select', { keyword, pageSize: 20 })
    return good(person, `choose ${entity}`, answer).map(({ id }) => id)
  }

  async view(person: Person, entity: string, id: string): Promise<EntityRecord> {
    const answer = await (await this.as(person)).get<{ record: EntityRecord }>(`${pathOf(entity)}/view/${id}`, ENGLISH)
    return good(person, `view ${entity}`, answer).record
  }

  /** Imports a file as a person does: previewed, then committed. */
  async imports(person: Person, entity: string, rows: readonly Record<string, string>[]): Promise<void> {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    const form = new FormData()
    form.append('file', new Blob([lines.map((line) => line.map((cell) => JSON.stringify(cell)).join()).join('\n')]), 'rows.csv')
    const init = { body: form, headers: ENGLISH }
    const seen = await (await this.as(person)).raw('POST', `${pathOf(entity)}/import/preview`, init)
    const preview = (await seen.json()) as Answer<{ importId: string; errors: object[] } | null>
    expect([person, entity, preview.msg, preview.data?.errors]).toEqual([person, entity, 'OK', []])
    const asked = { importId: preview.data?.importId }
    const done = await this.tries<{ created: number }>(person, entity, 'import/commit', asked)
    expect([person, entity, good(person, `import ${entity}`, done).created]).toEqual([person, entity, rows.length])
  }

  /** Uploads a proof for a form. */
  async file(person: Person): Promise<object> {
    const form = new FormData()
    form.append('file', new Blob([newId()], { type: 'text/plain' }), 'proof.txt')
    const answer = await (await this.as(person)).raw('POST', '/v2/workflow/file/upload', { body: form })
    return ((await answer.json()) as { data: object }).data
  }

  /** Starts an application and takes it to its end, each step by whoever it waits for. */
  async apply(person: Person, code: string, formData: object, fills: Fills = {}): Promise<Carried> {
    const started = await (
      await this.as(person)
    ).post<{ instanceId: string }>('/v2/workflow/operate/start', { code, formData }, ENGLISH)
    return this.decide(good(person, `start ${code}`, started).instanceId, fills)
  }

  /** Takes the application that was begun last about a record to its end. */
  async decideAbout(field: string, id: string): Promise<Carried> {
    const [instance] = await this.rows<{ id: string }>(
      `select id from wf_instance where form_data->>$1 = $2 order by created_at desc limit 1`,
      [field, id],
    )
    return this.decide(instance!.id, {})
  }

  private async decide(instanceId: string, fills: Fills): Promise<Carried> {
    const steps: string[] = []
    for (;;) {
      const [task] = await this.rows<{ id: string; who: Person; node: string }>(
        `select id, assignee_id as who, node_id as node from wf_task where instance_id = $1 and status = 'pending' order by created_at limit 1`,
        [instanceId],
      )
      if (!task) break
      const body = { taskId: task.id, comment: 'Looked into it', formData: (await fills[task.node]?.()) ?? {} }
      good(task.who, `decide ${task.node}`, await (await this.as(task.who)).post('/v2/workflow/operate/agree', body, ENGLISH))
      steps.push(`${task.node} ${task.who}`)
    }
    const [ended] = await this.rows('select status, effect_error as error from wf_instance where id = $1', [instanceId])
    expect(ended).toEqual({ status: 'done', error: null })
    return { instanceId, steps }
  }

  /** The administrator says who approves what. */
  async nameApprovers(): Promise<void> {
    for (const name of NAMES)
      for (const code of PEOPLE[name].approves) {
        const [role] = await this.rows<{ id: string }>('select id from wf_role where code = $1', [code])
        const body = { id: role!.id, members: [{ staffId: name, scopeType: 'all' }] }
        good('admin', `name who is ${code}`, await (await this.as('admin')).post('/v2/workflow/role/save', body, ENGLISH))
      }
  }
}

const pathOf = (entity: string): string => `/v2/${entity.replace('.', '/')}`

/** What a call answers; a refusal fails with who could not do what, and why. */
function good<T>(person: Person, act: string, answer: Answer<T>): T {
  if (answer.code !== 0) throw new Error(`${person} (${PEOPLE[person].role}) cannot ${act}: ${answer.text}`)
  return answer.data
}

/** Opens the office at noon of the company, with its teams and people. */
export async function openOffice(): Promise<Office> {
  const test = await startGateway()
  const office = new Office(test)
  office.until(office.day(1))
  const { engine, database, sessions } = test.gateway
  const base = { version: 1, createdAt: office.now().toISOString(), updatedAt: office.now().toISOString() }
  const [hq] = await office.rows<{ id: string; path: string }>(`select id, path from sys_department where code = 'HQ'`)
  const roles = await office.rows<{ id: string; code: string }>('select id, code from sys_role')
  const teamOf = (team: string): string => (team === 'HQ' ? hq!.id : team)
  await engine.transaction(systemContext({ now: office.now() }), async (entities) => {
    await entities.insertMany(
      'sys.department',
      Object.entries(TEAMS).map(([code, kind], sortNo) => ({
        ...{ ...base, id: code, code, name: code, kind, parentId: hq!.id, path: `${hq!.path}${code}/`, enabled: true, sortNo },
        leaderId: NAMES.find((name) => PEOPLE[name].team === code),
      })),
    )
    await entities.insertMany(
      'sys.staff',
      NAMES.map((id) => ({
        ...{ ...base, id, jobNumber: id, name: id, position: 'sales', status: 'active', signInDisabled: false },
        ...{ mainDeptId: teamOf(PEOPLE[id].team), deptIds: [teamOf(PEOPLE[id].team)] },
      })),
    )
    await entities.insertMany(
      'sys.roleMember',
      NAMES.map((staffId) => {
        const roleId = roles.find(({ code }) => code === PEOPLE[staffId].role)!.id
        return { ...base, id: newId(), staffId, roleId, from: null, until: null }
      }),
    )
  })
  await database.query(`update sys_department set leader_id = 'boss' where code = 'HQ'`)
  await sessions.setPassword(database, NAMES, PASSWORD)
  await office.nameApprovers()
  return office
}
