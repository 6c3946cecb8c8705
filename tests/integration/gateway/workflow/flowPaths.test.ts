import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf } from '../../../../gateway/platform/calendar'
import { systemContext } from '../../../../gateway/platform/http'
import type { Node } from '../../../../src/schema/generated/process'
import { flowWorld, label, processOf, step, type FlowWorld } from './flowWorld'

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld()
})
afterAll(() => world.close())

const statusOf = async (instanceId: string): Promise<string> =>
  (await world.rows<{ status: string }>('select status from wf_instance where id = $1', [instanceId]))[0]!.status
const openOf = async (instanceId: string): Promise<string[]> =>
  (
    await world.rows<{ who: string }>(
      `select assignee_id as who from wf_task where instance_id = $1 and status = 'pending' order by 1`,
      [instanceId],
    )
  ).map(({ who }) => who)

describe('several at one step', () => {
  it('one of them decides, and whoever comes second is told who was first and when', async () => {
    await world.publish(processOf('any', [step('one', ['chen', 'zhou'])]))
    const { instanceId } = await world.start('any')
    const tasks = await Promise.all((['chen', 'zhou'] as const).map((who) => world.taskOf(who, instanceId)))
    const answers = await Promise.all([
      world.act('chen', 'agree', { taskId: tasks[0] }),
      world.act('zhou', 'agree', { taskId: tasks[1] }),
    ])
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 10010006])
    const late = answers.find(({ code }) => code !== 0)!
    const first = answers[0]!.code === 0 ? 'chen' : 'zhou'
    expect(late.data).toMatchObject({ by: first, status: 'done' })
    expect(late.msg).toContain(first)
  })

  it('the same request once more is answered as before and done once; who saw an older state is told what happened meanwhile', async () => {
    await world.publish(processOf('again', [step('one', ['chen', 'zhou'], { multiMode: 'all' }), step('two', 'gao')]))
    const { instanceId } = await world.start('again')
    const { rowVersion } = (await world.detail('zhou', instanceId)).instance
    await world.act('zhou', 'read', { instanceId })
    world.gateway.clock.forward(60)
    const asked = { taskId: await world.taskOf('chen', instanceId), action: 'agree', comment: 'fine', rowVersion }
    const first = await world.act('chen', 'agree', asked)
    expect(await world.act('chen', 'agree', asked)).toMatchObject({ code: 0, data: first.data })
    expect(
      await world.rows(`select 1 from wf_action_log where instance_id = $1 and action = 'agree'`, [instanceId]),
    ).toHaveLength(1)
    expect((await world.act('chen', 'agree', { ...asked, comment: 'another word' })).code).toBe(10010006)
    const late = await world.act('zhou', 'agree', { instanceId, rowVersion })
    expect(late).toMatchObject({
      code: 10010006,
      data: { meanwhile: [{ by: 'chen', action: 'agree', comment: 'fine', nodeName: label('one') }] },
    })
    expect(
      (await world.detail('zhou', instanceId)).seenBefore! < (await world.detail('zhou', instanceId)).timeline.at(-1)!.at,
    ).toBe(true)
    await world.act('zhou', 'read', { instanceId })
    expect(
      (await world.detail('zhou', instanceId)).seenBefore! >= (await world.detail('zhou', instanceId)).timeline.at(-1)!.at,
    ).toBe(true)
    const seen = (await world.detail('zhou', instanceId)).instance.rowVersion
    await world.act('applicant', 'comment', { instanceId, comment: 'a word changes nothing' })
    expect((await world.act('zhou', 'agree', { instanceId, rowVersion: seen })).code).toBe(0)
  })

  it('all have to agree, and one rejection decides', async () => {
    await world.publish(processOf('all', [step('one', ['chen', 'zhou'], { multiMode: 'all' })]))
    const good = await world.start('all')
    await world.agree('chen', good.instanceId)
    expect(await statusOf(good.instanceId)).toBe('running')
    await world.agree('zhou', good.instanceId)
    expect(await statusOf(good.instanceId)).toBe('done')
    const bad = await world.start('all')
    await world.act('chen', 'reject', { instanceId: bad.instanceId, comment: 'no' })
    expect(await statusOf(bad.instanceId)).toBe('rejected')
    expect(await openOf(bad.instanceId)).toEqual([])
  })

  it('they are asked in order', async () => {
    await world.publish(processOf('order', [step('one', ['zhou', 'chen', 'gao'], { multiMode: 'sequence' })]))
    const { instanceId } = await world.start('order')
    for (const who of ['zhou', 'chen', 'gao'] as const) {
      expect(await openOf(instanceId)).toEqual([who])
      await world.agree(who, instanceId)
    }
    expect(await statusOf(instanceId)).toBe('done')
  })

  it('they vote: two of three', async () => {
    await world.publish(processOf('votes', [step('one', ['zhou', 'chen', 'gao'], { multiMode: 'vote', percent: 66 })]))
    const { instanceId } = await world.start('votes')
    await world.agree('zhou', instanceId)
    await world.act('chen', 'reject', { instanceId, comment: 'no' })
    expect(await statusOf(instanceId)).toBe('running')
    await world.agree('gao', instanceId)
    expect(await statusOf(instanceId)).toBe('done')
  })
})

describe('branches', () => {
  const both: Node = {
    id: 'both',
    kind: 'parallel',
    branches: [
      { id: 'a', nodes: [step('left', 'chen')] },
      { id: 'b', nodes: [step('right', 'zhou'), step('deep', 'gao')] },
    ],
  }

  it('run side by side and join, and a rejection in one ends the other', async () => {
    await world.publish(processOf('sides', [both, step('last', 'leader')]))
    const { instanceId } = await world.start('sides')
    expect(await openOf(instanceId)).toEqual(['chen', 'zhou'])
    await world.agree('chen', instanceId)
    await world.agree('zhou', instanceId)
    expect(await openOf(instanceId)).toEqual(['gao'])
    await world.agree('gao', instanceId)
    expect(await openOf(instanceId)).toEqual(['leader'])
    const { instanceId: bad } = await world.start('sides')
    await world.act('zhou', 'reject', { instanceId: bad, comment: 'no' })
    expect([await statusOf(bad), await openOf(bad)]).toEqual(['rejected', []])
  })

  it('are decided anew after a return, by what the form says then', async () => {
    await world.publish(
      processOf('anew', [
        {
          id: 'how',
          kind: 'condition',
          branches: [
            { id: 'large', when: '{{ sum > 100 }}', nodes: [step('big', 'zhou')] },
            { id: 'other', nodes: [step('small', 'chen')] },
          ],
        },
      ]),
    )
    const { instanceId } = await world.start('anew', { sum: '500' })
    expect(await openOf(instanceId)).toEqual(['zhou'])
    await world.act('zhou', 'reject', { instanceId, action: 'returnStart', comment: 'too much' })
    const answer = await world.act('applicant', 'resubmit', { instanceId, formData: { sum: '90' } })
    expect(answer.data.nextNodes).toEqual(['small'])
    const { timeline } = await world.detail('applicant', instanceId)
    expect(timeline.at(-1)).toMatchObject({ action: 'resubmit', diff: [{ field: 'sum' }] })
  })

  it('a condition over nothing does not hold; one that cannot be worked out tells the administrators', async () => {
    await world.publish(
      processOf('broken', [
        {
          id: 'how',
          kind: 'condition',
          branches: [
            { id: 'a', when: '{{ round(reason) > 1 }}', nodes: [] },
            { id: 'b', nodes: [] },
          ],
        },
        step('last', 'leader'),
      ]),
      { adminIds: ['admin'] },
    )
    const { instanceId } = await world.start('broken')
    expect(await statusOf(instanceId)).toBe('running')
    expect((await world.detail('admin', instanceId)).actions).toContain('retryEffect')
    const told = await world.rows(`select 1 from sys_todo where staff_id = 'admin' and subject_id = $1`, [instanceId])
    expect(told).toHaveLength(1)
    expect(
      (await world.act('admin', 'admin', { instanceId, op: 'jump', targetNodeId: 'last', comment: 'goes on by hand' })).data
        .nextNodes,
    ).toEqual(['last'])
    await world.agree('leader', instanceId)
    expect(await statusOf(instanceId)).toBe('done')
    expect((await world.detail('applicant', instanceId)).timeline.find(({ action }) => action === 'jump')).toMatchObject({
      admin: true,
      byId: 'admin',
      comment: 'goes on by hand',
    })
  })
})

describe('who is asked', () => {
  it('a leader who is the applicant gives way to his own leader; who is away is never asked', async () => {
    await world.publish(processOf('self', [step('one', ['leader', 'applicant'])]))
    const { instanceId } = await world.start('self', {}, {}, 'leader')
    expect(await openOf(instanceId)).toEqual(['applicant', 'director'])
    await world.rows(`update sys_staff set status = 'leave' where id = 'leader'`)
    const other = await world.start('self')
    expect(await openOf(other.instanceId)).toEqual(['director'])
    await world.rows(`update sys_staff set status = 'active' where id = 'leader'`)
  })

  it('tasks of somebody who has handed them over go to his delegate, without chains, and not to the applicant', async () => {
    const delegate = (from: string, to: string) =>
      world.gateway.gateway.engine.transaction(systemContext({ now: world.gateway.clock.now() }), (entities) =>
        entities.insertMany('wf.delegation', [
          {
            id: `d${from}${to}`,
            fromId: from,
            toId: to,
            fromAt: '2020-01-01T00:00:00.000Z',
            untilAt: '2099-01-01T00:00:00.000Z',
            createdAt: new Date().toISOString(),
          },
        ]),
      )
    await delegate('gao', 'other')
    await delegate('other', 'zhou')
    await world.publish(processOf('away', [step('one', 'gao')]))
    const { instanceId } = await world.start('away')
    expect(await openOf(instanceId)).toEqual(['other'])
    await world.agree('other', instanceId)
    const { timeline } = await world.detail('applicant', instanceId)
    expect(timeline.find(({ action }) => action === 'agree')).toMatchObject({ byName: 'other', forName: 'gao' })
    const own = await world.start('away', {}, {}, 'other')
    expect(await openOf(own.instanceId)).toEqual(['gao'])
    await world.rows(`delete from wf_delegation`)
  })

  it('nobody: the step is skipped, a named person or the administrators are asked, or it cannot be submitted', async () => {
    const nobody = { assignees: [{ rule: 'role' as const, role: 'nobody.here' }] }
    await world.publish(processOf('skips', [step('one', 'chen', { ...nobody, emptyRule: 'skip' }), step('two', 'leader')]))
    expect(await openOf((await world.start('skips')).instanceId)).toEqual(['leader'])
    await world.publish(processOf('named', [step('one', 'chen', { ...nobody, emptyRule: 'toStaff', emptyStaff: ['zhou'] })]))
    expect(await openOf((await world.start('named')).instanceId)).toEqual(['zhou'])
    await world.publish(processOf('admins', [step('one', 'chen', nobody)]))
    // (the first administrator of an empty company is one too)
    expect(await openOf((await world.start('admins')).instanceId)).toContain('admin')
    await world.publish(processOf('blocks', [step('one', 'chen', { ...nobody, emptyRule: 'block' })]))
    const answer = await world.act('applicant', 'start', { code: 'blocks', formData: { reason: 'x' } })
    expect([answer.code, answer.msg]).toEqual([10010005, expect.stringContaining('one')])
    expect(
      await world.rows(`select 1 from wf_instance i join wf_process p on p.id = i.process_id where p.code = 'blocks'`),
    ).toEqual([])
  })

  it('members of a role whose scope covers the form, people of the form, and those who were picked', async () => {
    await world.gateway.gateway.engine.transaction(systemContext(), async (entities) => {
      await entities.insertMany('wf.role', [
        { id: 'roleArea', code: 'test.area', nameZh: '区域', nameEn: 'Area', state: 'enabled' },
      ])
      await entities.insertMany('wf.roleMember', [
        { id: 'm1', roleId: 'roleArea', position: 1, staffId: 'chen', scopeType: 'dept', scopeIds: ['deptSales'] },
        { id: 'm2', roleId: 'roleArea', position: 2, staffId: 'zhou', scopeType: 'dept', scopeIds: ['elsewhere'] },
      ])
    })
    await world.publish(
      processOf('roles', [
        step('one', 'chen', { assignees: [{ rule: 'role', role: 'test.area', scope: { dept: 'applicant.deptId' } }] }),
        step('two', 'chen', { assignees: [{ rule: 'formField', field: 'person' }] }),
        step('three', 'chen', { assignees: [{ rule: 'pickByStarter', staff: ['gao', 'zhou'] }] }),
      ]),
    )
    const missing = await world.act('applicant', 'start', { code: 'roles', formData: { reason: 'x', person: 'director' } })
    expect(missing.code).toBe(10010005)
    const { instanceId } = await world.start('roles', { person: 'director' }, { pickedAssignees: { three: ['zhou', 'other'] } })
    for (const who of ['chen', 'director', 'zhou'] as const) {
      expect(await openOf(instanceId)).toEqual([who])
      await world.agree(who, instanceId)
    }
  })

  it('who has agreed right before is not asked again where the process says so', async () => {
    await world.publish(
      processOf('twice', [step('one', 'chen'), step('two', 'chen'), step('three', 'zhou')], { dedupe: 'adjacent' }),
    )
    const { instanceId } = await world.start('twice')
    await world.agree('chen', instanceId)
    expect(await openOf(instanceId)).toEqual(['zhou'])
    expect((await world.detail('applicant', instanceId)).timeline.map(({ action }) => action)).toEqual([
      'start',
      'agree',
      'autoAgree',
    ])
  })

  it('tasks of somebody who leaves go to his leader', async () => {
    await world.gateway.addStaff({ id: 'goer', jobNumber: 'F99', name: 'goer', mainDeptId: 'deptSales' })
    await world.publish(processOf('leaves', [{ ...step('one', 'chen'), assignees: [{ rule: 'staff', staff: ['goer'] }] }]))
    const { instanceId } = await world.start('leaves')
    expect(await openOf(instanceId)).toEqual(['goer'])
    const { engine } = world.gateway.gateway
    await engine.transaction(systemContext(), async (entities) => {
      const transition = engine.model('sys.staff').machines[0]!.transitions.find(({ to }) => to === 'left')!
      await entities.transition('sys.staff', 'goer', transition.id, { leftOn: '2026-01-01' })
    })
    expect(await openOf(instanceId)).toEqual(['director'])
  })
})

describe('the form', () => {
  it('takes of somebody what his step lets him change, shows nobody what is hidden from him, and keeps what was changed', async () => {
    await world.publish(
      processOf('rights', [
        step('one', 'leader', {
          fieldRights: { approvedSum: 'M', secret: 'H' },
          rules: [
            { id: 'notMore', field: 'approvedSum', when: '{{ approvedSum > sum }}', message: label('Not more than was asked') },
          ],
        }),
        step('two', 'chen', { fieldRights: { secret: 'E' } }),
      ]),
    )
    const { instanceId } = await world.start('rights', { sum: '80000' })
    const taskId = await world.taskOf('leader', instanceId)
    const fields = async (formData: object) =>
      ((await world.act('leader', 'agree', { taskId, formData })).data as unknown as { errors: { field: string }[] }).errors.map(
        ({ field }) => field,
      )
    expect(await fields({})).toEqual(['approvedSum'])
    expect(await fields({ approvedSum: '90000' })).toEqual(['approvedSum'])
    expect(await fields({ approvedSum: '1', sum: '1' })).toEqual(['sum'])
    expect(await fields({ approvedSum: '1', secret: 'x' })).toEqual(['secret'])
    await world.agree('leader', instanceId, { formData: { approvedSum: '65000' } })
    await world.agree('chen', instanceId, { formData: { secret: 'only for some' } })
    const detail = await world.detail('leader', instanceId)
    expect(detail.form.values).toMatchObject({ approvedSum: '65000', secret: 'only for some' })
    expect(detail.form.changed.map(({ field, before, after, by }) => [field, before, after, by])).toContainEqual([
      'approvedSum',
      null,
      '65000',
      'leader',
    ])
    const second = await world.start('rights', { sum: '5' })
    const seen = await world.detail('leader', second.instanceId)
    expect(seen.form.rights.secret).toBe('H')
    expect(Object.keys(seen.form.values)).not.toContain('secret')
    expect(Object.keys((await world.act('leader', 'form/data', { instanceId: second.instanceId })).data)).not.toContain('secret')
  })

  it('of an older version stays as it was: what runs keeps its flow and its fields', async () => {
    await world.publish(processOf('versions', [step('one', 'leader'), step('two', 'chen')]))
    const { instanceId } = await world.start('versions', { sum: '7' })
    await world.publish(
      processOf('versions', [step('other', 'zhou')], {
        form: { fields: { reason: { type: 'string', 'x-label': label('Why') } } },
      }),
    )
    await world.agree('leader', instanceId)
    expect(await openOf(instanceId)).toEqual(['chen'])
    expect((await world.detail('chen', instanceId)).form.values.sum).toBe('7')
    expect(await openOf((await world.start('versions')).instanceId)).toEqual(['zhou'])
  })
})

describe('what an end does', () => {
  it('that fails leaves the decision standing, tells the administrators, and is done once when it is tried again', async () => {
    const { engine } = world.gateway.gateway
    let [failures, done] = [0, 0]
    engine.registerVerb('test.fragile', ({ tx }) => {
      done += 1
      if (failures > 0) {
        failures -= 1
        return tx.query('select 1 / 0').then(() => undefined)
      }
      return Promise.resolve()
    })
    await world.publish(
      processOf('effects', [step('one', 'leader')], { effects: { agreed: [{ id: 'fragile', do: 'test.fragile', with: {} }] } }),
      { adminIds: ['admin'] },
    )
    const { instanceId } = await world.start('effects')
    // what it would do was tried before it was submitted
    expect(done).toBe(1)
    ;[failures, done] = [5, 0]
    expect((await world.agree('leader', instanceId)).data.status).toBe('effectFailed')
    expect(
      await world.rows(
        `select 1 from sys_message where receiver_id in ('admin', 'applicant') and title_en like 'Could not take effect%'`,
      ),
    ).toHaveLength(2)
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect((await world.act('admin', 'admin', { instanceId, op: 'retryEffect' })).data.status).toBe('effectFailed')
    expect((await world.act('admin', 'admin', { instanceId, op: 'retryEffect' })).data.status).toBe('done')
    expect(done).toBe(6)
    expect((await world.act('admin', 'admin', { instanceId, op: 'retryEffect' })).code).not.toBe(0)
    expect(done).toBe(6)
    expect(await world.rows('select tries, status from wf_effect_run where instance_id = $1', [instanceId])).toEqual([
      { tries: 6, status: 'done' },
    ])
    // an ended one takes comments
    expect((await world.act('applicant', 'comment', { instanceId, comment: 'thanks' })).code).toBe(0)
  })

  it('of a step is done once though it is passed again, or anew in each round where the step says so, and the timeline tells', async () => {
    const done: string[] = []
    world.gateway.gateway.engine.registerVerb('test.counted', ({ effect }, runs) => {
      done.push(...runs.map(() => effect.id))
      return Promise.resolve()
    })
    const service = (id: string, more: Partial<Node> = {}): Node => ({
      id,
      kind: 'service',
      label: label(id),
      effects: [{ id, do: 'test.counted', with: {} }],
      ...more,
    })
    await world.publish(processOf('passes', [service('once'), service('each', { again: true }), step('one', 'leader')]))
    const { instanceId } = await world.start('passes')
    await world.act('leader', 'reject', { instanceId, action: 'returnStart', comment: 'more' })
    await world.act('applicant', 'resubmit', { instanceId, formData: {} })
    expect(done).toEqual(['once', 'each', 'each'])
    const told = (await world.detail('applicant', instanceId)).timeline.filter(({ action }) => action === 'effect')
    expect(told.map(({ comment }) => comment)).toEqual(['已执行', '已执行', '此前已执行，没有再次执行', '已执行'])
  })

  it('over the outbox runs until it is delivered; after the last attempt the administrators hear of it and ask once more', async () => {
    const { engine, queue } = world.gateway.gateway
    let down = true
    let asked = 0
    engine.registerOutsideVerb('test.outside', () => {
      asked += 1
      return down ? Promise.reject(new Error('the other side is down')) : Promise.resolve({})
    })
    const outside = { id: 'outside', do: 'test.outside', with: {}, later: {} }
    const note = { id: 'note', kind: 'service', label: label('note'), effects: [outside] } as Node
    await world.publish(processOf('outside', [note, step('one', 'leader')], { effects: { agreed: [outside] } }), {
      adminIds: ['admin'],
    })
    const { instanceId } = await world.start('outside')
    expect(await openOf(instanceId)).toEqual([])
    await queue.hurry(['outbox'])
    expect((await world.detail('admin', instanceId)).actions).toContain('retryEffect')
    expect(await world.rows(`select 1 from sys_todo where staff_id = 'admin' and subject_id = $1`, [instanceId])).toHaveLength(1)
    down = false
    await world.act('admin', 'admin', { instanceId, op: 'retryEffect' })
    await queue.hurry(['outbox'])
    expect([asked, await openOf(instanceId)]).toEqual([2, ['leader']])
    down = true
    expect((await world.agree('leader', instanceId)).data.status).toBe('agreed')
    // it is taken at once: what it passed through is told at the end
    await queue.hurry(['outbox'])
    expect((await world.detail('applicant', instanceId)).instance).toMatchObject({
      status: 'effectFailed',
      effectStatus: 'failed',
      effectError: 'the other side is down',
    })
    down = false
    expect((await world.act('admin', 'admin', { instanceId, op: 'retryEffect' })).data.status).toBe('agreed')
    await queue.hurry(['outbox'])
    expect(await statusOf(instanceId)).toBe('done')
    expect(
      (await world.detail('applicant', instanceId)).timeline
        .filter(({ action, admin }) => action === 'effect' && !admin)
        .map(({ variant }) => variant),
    ).toEqual(['running', 'failed', 'stuck', 'running', 'delivered', 'running', 'failed', 'running', 'delivered'])
  })

  it('is undone whole when the gateway dies in the middle of an action', async () => {
    const { engine } = world.gateway.gateway
    engine.registerVerb('test.dies', () => Promise.reject(new Error('the process died')))
    await world.publish(
      processOf('dies', [step('one', 'leader')], { effects: { started: [{ id: 'dies', do: 'test.dies', with: {} }] } }),
    )
    const answer = await world.act('applicant', 'start', { code: 'dies', formData: { reason: 'x' } })
    expect(answer.status).toBe(500)
    expect(
      await world.rows(`select 1 from wf_instance i join wf_process p on p.id = i.process_id where p.code = 'dies'`),
    ).toEqual([])
    expect(await world.rows(`select 1 from wf_task t join wf_process p on p.id = t.process_id where p.code = 'dies'`)).toEqual([])
  })

  it('is checked once more before: what has changed meanwhile is told to whoever decides last', async () => {
    await world.publish(
      processOf('facts', [step('one', 'leader', { fieldRights: { sum: 'E' } })], {
        checks: [{ id: 'much', when: '{{ sum > 10 }}', message: label('Too much now') }],
      }),
    )
    const refused = await world.act('applicant', 'start', { code: 'facts', formData: { reason: 'x', sum: '11' } })
    expect([refused.code, refused.msg]).toEqual([10060059, 'Too much now'])
    const { instanceId } = await world.start('facts', { sum: '10' })
    const late = await world.act('leader', 'agree', { instanceId, formData: { sum: '12' } })
    expect(late.code).toBe(10060059)
    expect(await statusOf(instanceId)).toBe('running')
  })

  it('may write records with the values of the form, in the transaction of the last action', async () => {
    await world.publish(
      processOf('writes', [step('one', 'leader')], {
        effects: {
          agreed: [
            {
              id: 'told',
              do: 'notify',
              with: { to: [{ field: 'person' }], title: { zh: '{{ instance.code }}：{{ reason }}', en: '{{ applicant.name }}' } },
            },
          ],
        },
      }),
    )
    const { instanceId } = await world.start('writes', { person: 'gao' })
    expect((await world.agree('leader', instanceId)).data.status).toBe('done')
    const [told] = await world.rows<{ zh: string; en: string }>(
      `select title_zh as zh, title_en as en from sys_message where receiver_id = 'gao' and title_zh like '%because it is so'`,
    )
    expect(told).toMatchObject({ en: 'applicant' })
  })
})

describe('one about a record', () => {
  it('keeps others about it away while it runs (10060053)', async () => {
    await world.publish(processOf('held', [step('one', 'leader')], { object: { field: 'person' } }))
    const { instanceId } = await world.start('held', { person: 'gao' })
    const second = await world.act('applicant', 'start', { code: 'held', formData: { reason: 'x', person: 'gao' } })
    expect([second.code, (second.data as unknown as { instanceId: string }).instanceId]).toEqual([10060053, instanceId])
    await world.agree('leader', instanceId)
    await world.start('held', { person: 'gao' })
  })
})

describe('other steps', () => {
  it('another process runs as a step, and its rejection is one of this', async () => {
    await world.publish(processOf('inner', [step('check', 'zhou')]))
    await world.publish(
      processOf('outer', [
        { id: 'sub', kind: 'subProcess', process: 'inner', values: { reason: '{{ reason }}', sum: '{{ sum }}' } },
        step('after', 'leader'),
      ]),
    )
    const { instanceId } = await world.start('outer', { sum: '3' })
    const [sub] = await world.rows<{ id: string; sum: string }>(
      `select id, form_data ->> 'sum' as sum from wf_instance where parent_id = $1`,
      [instanceId],
    )
    expect(sub?.sum).toBe('3')
    expect(await openOf(instanceId)).toEqual([])
    await world.agree('zhou', sub!.id)
    expect(await openOf(instanceId)).toEqual(['leader'])
    const other = await world.start('outer')
    const [rejected] = await world.rows<{ id: string }>('select id from wf_instance where parent_id = $1', [other.instanceId])
    await world.act('zhou', 'reject', { instanceId: rejected!.id, comment: 'no' })
    expect(await statusOf(other.instanceId)).toBe('rejected')
  })

  it('a check sends back to the applicant with its reason', async () => {
    await world.publish(
      processOf('checks', [
        {
          id: 'check',
          kind: 'service',
          phase: 'check',
          refuse: [{ id: 'low', when: '{{ sum < 5 }}', message: label('At least 5') }],
        },
        step('one', 'leader'),
      ]),
    )
    const { instanceId, status } = await world.start('checks', { sum: '1' })
    expect(status).toBe('returned')
    expect((await world.detail('applicant', instanceId)).timeline.at(-1)).toMatchObject({
      action: 'return',
      comment: 'At least 5',
    })
    expect((await world.act('applicant', 'resubmit', { instanceId, formData: { sum: '6' } })).data.nextNodes).toEqual(['one'])
  })

  it('is urged once in four hours, three times a day', async () => {
    await world.publish(processOf('urges', [step('one', 'leader')]))
    const { instanceId } = await world.start('urges')
    const urge = async () => (await world.act('applicant', 'urge', { instanceId, comment: 'please' })).code
    expect([await urge(), await urge()]).toEqual([0, 10030002])
    for (const code of [0, 0, 10030002]) {
      world.gateway.clock.forward(4 * 3600 + 1)
      expect(await urge()).toBe(code)
    }
  })

  it('a comment names people, who may read it then', async () => {
    const { instanceId } = await world.start('urges')
    expect((await world.act('other', 'instanceDetail', { instanceId })).code).toBe(10010004)
    await world.act('leader', 'comment', { instanceId, comment: 'look at this', atStaffIds: ['other'] })
    expect((await world.detail('other', instanceId)).timeline.at(-1)).toMatchObject({
      action: 'comment',
      comment: 'look at this',
    })
    expect(
      await world.rows(`select 1 from sys_message where receiver_id = 'other' and title_en like 'leader mentioned you%'`),
    ).toHaveLength(1)
  })
})

describe('time', () => {
  it('reminds at half of the limit, then is overdue, and at twice of it the leader hears of it', async () => {
    await world.publish(processOf('limits', [step('one', 'leader', { limitHours: 4, workCalendar: false })]))
    const { instanceId } = await world.start('limits')
    const told = async (who: string) =>
      (
        await world.rows<{ t: string }>(
          `select title_en as t from sys_message where receiver_id = $1 and subject_id = $2 order by id`,
          [who, instanceId],
        )
      ).map(({ t }) => t.split(':')[0])
    await world.ring()
    expect(await told('leader')).toEqual([])
    world.gateway.clock.forward(2 * 3600 + 1)
    await world.ring()
    expect(await told('leader')).toEqual(['Reminder'])
    world.gateway.clock.forward(2 * 3600)
    await world.ring()
    world.gateway.clock.forward(4 * 3600)
    await world.ring()
    expect((await told('leader')).length).toBeGreaterThanOrEqual(2)
    expect(await told('director')).toContain('Overdue')
    expect(await openOf(instanceId)).toEqual(['leader'])
  })

  it('decides by itself where the step says so, or hands it to the leader', async () => {
    await world.publish(
      processOf('auto', [
        step('one', 'leader', { limitHours: 1, workCalendar: false, onTimeout: 'autoAgree' }),
        step('two', 'leader', { limitHours: 1, workCalendar: false, onTimeout: 'transmitLeader' }),
        step('three', 'chen', { limitHours: 1, workCalendar: false, onTimeout: 'autoReject' }),
      ]),
    )
    const { instanceId } = await world.start('auto')
    const pass = async () => {
      world.gateway.clock.forward(3601)
      await world.ring()
    }
    await pass()
    expect(
      await world.rows<{ node: string }>(`select node_id as node from wf_task where instance_id = $1 and status = 'pending'`, [
        instanceId,
      ]),
    ).toEqual([{ node: 'two' }])
    await pass()
    expect(await openOf(instanceId)).toEqual(['director'])
    await world.agree('director', instanceId)
    await pass()
    expect(await statusOf(instanceId)).toBe('rejected')
  })

  it('a delay waits for its day, and an empty one does not wait', async () => {
    await world.publish(processOf('waits', [{ id: 'wait', kind: 'delay', until: '{{ on }}' }, step('one', 'leader')]))
    const day = addDays(dayOf(world.gateway.clock.now(), 'Asia/Shanghai'), 3)
    const { instanceId } = await world.start('waits', { on: day })
    expect(await openOf(instanceId)).toEqual([])
    await world.ring()
    expect(await openOf(instanceId)).toEqual([])
    world.gateway.clock.forward(3 * 86_400)
    await world.ring()
    expect(await openOf(instanceId)).toEqual(['leader'])
    expect(await openOf((await world.start('waits')).instanceId)).toEqual(['leader'])
  })
})

describe('the way of post-paid credit (money 8.16)', () => {
  it('is redrawn when the credit officer lowers the limit, and goes straight back to who returned it', async () => {
    const approved = 'approvedSum ?? sum'
    await world.publish(
      processOf('postpaid', [
        step('l1', 'leader', { assignees: [{ rule: 'deptLeader', level: 1 }], fieldRights: { approvedSum: 'H' } }),
        step('l2', 'director', { assignees: [{ rule: 'deptLeader', level: 2 }], fieldRights: { approvedSum: 'H' } }),
        step('credit', 'chen', { fieldRights: { approvedSum: 'E' } }),
        {
          id: 'how',
          kind: 'condition',
          branches: [
            { id: 'large', when: `{{ (${approved}) * 7.1 > 500000 }}`, nodes: [step('cfo', 'zhou'), step('ceo', 'other')] },
            {
              id: 'middle',
              nodes: [
                step('manager', 'gao'),
                step('cfo2', 'zhou', { rejectActions: ['rejectEnd', 'returnStart', 'returnBackToMe'] }),
              ],
            },
          ],
        },
      ]),
    )
    const taken = async (instanceId: string) =>
      (await world.detail('applicant', instanceId)).path.find(({ id }) => id === 'how')!.branches!.find((branch) => branch.taken)!
        .id
    const { instanceId } = await world.start('postpaid', { sum: '80000' })
    expect(await taken(instanceId)).toBe('large')
    await world.agree('leader', instanceId)
    await world.agree('director', instanceId)
    await world.agree('chen', instanceId, { formData: { approvedSum: '65000' } })
    expect(await taken(instanceId)).toBe('middle')
    await world.agree('gao', instanceId)
    const task = await world.taskOf('zhou', instanceId)
    await world.act('zhou', 'reject', { taskId: task, action: 'returnBackToMe', comment: 'financials missing' })
    await world.act('applicant', 'resubmit', { instanceId, formData: { remark: 'attached' } })
    expect(await openOf(instanceId)).toEqual(['zhou'])
    expect((await world.agree('zhou', instanceId)).data.status).toBe('done')
    const { timeline } = await world.detail('applicant', instanceId)
    expect(timeline.map(({ action }) => action)).toEqual([
      'start',
      'agree',
      'agree',
      'agree',
      'agree',
      'return',
      'resubmit',
      'agree',
    ])
    expect(timeline.filter(({ diff }) => diff.length > 0)).toHaveLength(2)
  })
})
