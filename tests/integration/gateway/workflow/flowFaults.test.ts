import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import type { Node } from '../../../../src/schema/generated/process'
import type { Caller } from '../../../support/gateway'
import { flowWorld, label, processOf, step, type FlowWorld, type Who } from './flowWorld'

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
const upload = async (who: Who, bytes = 5): Promise<{ id: string; name: string; size: number }> => {
  const form = new FormData()
  form.append('file', new Blob(['a'.repeat(bytes)]), 'note.txt')
  const response = await world.as[who].raw('POST', '/v2/workflow/file/upload', { body: form })
  const answer = (await response.json()) as { code: number; data: { id: string; name: string; size: number } }
  expect(answer.code, JSON.stringify(answer)).toBe(0)
  return answer.data
}
const role = (id: string, members: readonly Who[]) =>
  world.gateway.gateway.engine.transaction(systemContext(), async (entities) => {
    await entities.insertMany('wf.role', [{ id, code: id, nameZh: id, nameEn: id, state: 'enabled' }])
    await entities.insertMany(
      'wf.roleMember',
      members.map((staffId, index) => ({ id: `${id}${index}`, roleId: id, position: index + 1, staffId, scopeType: 'all' })),
    )
  })

describe('what a step asks for', () => {
  it('a signature and an attachment are files of the one who signs, not words that look like them', async () => {
    await world.publish(processOf('sign', [step('one', 'leader', { needSign: true, needAttachment: true })]))
    const { instanceId } = await world.start('sign')
    const taskId = await world.taskOf('leader', instanceId)
    const [signature, paper, foreign] = [await upload('leader'), await upload('leader'), await upload('chen')]
    for (const more of [
      {},
      { files: [paper] },
      { signature },
      { files: [{}], signature: {} },
      { files: [paper], signature: { id: 'none', name: 'x.png', size: 1 } },
      { files: [paper], signature: foreign },
    ])
      expect((await world.act('leader', 'agree', { taskId, ...more })).code, JSON.stringify(more)).not.toBe(0)
    expect(await openOf(instanceId)).toEqual(['leader'])
    expect((await world.act('leader', 'agree', { taskId, files: [paper], signature })).data.status).toBe('done')
    const [task] = await world.rows<{ signed: { id: string } }>('select signature_file as signed from wf_task where id = $1', [
      taskId,
    ])
    expect(task!.signed.id).toBe(signature.id)
  })

  it('30 MB in an application and in a comment are kept, and opened by whoever may see it alone', async () => {
    const form = processOf('large', [step('one', 'leader')])
    form.form.fields['paper'] = { type: 'string', format: 'file', 'x-label': label('Paper') }
    await world.publish(form)
    const [paper, said] = [await upload('applicant', 30_000_000), await upload('leader', 30_000_000)]
    const { instanceId } = await world.start('large', { paper })
    expect((await world.act('leader', 'comment', { instanceId, comment: 'see this', files: [said] })).code).toBe(0)
    const read = async (who: Who, id: string) => {
      const answer = await world.as[who].raw('GET', `/v2/download/downloadCenter/api/file/${id}`)
      return { status: answer.status, size: (await answer.arrayBuffer()).byteLength }
    }
    expect(await read('leader', paper.id)).toEqual({ status: 200, size: 30_000_000 })
    expect(await read('applicant', said.id)).toEqual({ status: 200, size: 30_000_000 })
    expect((await read('other', paper.id)).size).toBeLessThan(1_000)
  })

  it('whom the applicant picked stays his choice; the step before picks for the next', async () => {
    await world.publish(
      processOf('picks', [
        step('one', 'leader'),
        step('two', 'chen', { assignees: [{ rule: 'pickByStarter', staff: ['chen', 'zhou'] }] }),
        step('three', 'chen', { assignees: [{ rule: 'pickByPrevious', staff: ['gao', 'other'] }] }),
      ]),
    )
    const { instanceId } = await world.start('picks', {}, { pickedAssignees: { two: ['chen'] } })
    await world.agree('leader', instanceId, { pickedAssignees: { two: ['zhou'] } })
    expect(await openOf(instanceId)).toEqual(['chen'])
    expect((await world.detail('chen', instanceId)).myTask?.pick.map(({ nodeId }) => nodeId)).toEqual(['three'])
    await world.agree('chen', instanceId, { pickedAssignees: { three: ['gao', 'leader'] } })
    expect(await openOf(instanceId)).toEqual(['gao'])
  })
})

describe('who is asked', () => {
  it('leaders one after the other up to an amount, the person on duty, and whom an expression names', async () => {
    await role('onDuty', ['chen', 'zhou'])
    await world.rows(`update sys_staff set on_duty = (id <> 'chen') where id in ('chen', 'zhou')`)
    await world.publish(
      processOf(
        'rules',
        [
          step('chain', 'chen', {
            assignees: [{ rule: 'deptLeader', chain: true, level: 3, until: '{{ leader.level >= 1 && amountCny <= 1000 }}' }],
          }),
          step('duty', 'chen', { assignees: [{ rule: 'dutyRoster', role: 'onDuty' }] }),
          step('named', 'chen', { assignees: [{ rule: 'expression', value: "{{ sum > 1000 ? person : 'gao' }}" }] }),
        ],
        { amount: '{{ sum }}' },
      ),
    )
    const asked = async (sum: string) => {
      const { instanceId } = await world.start('rules', { sum, person: 'other' })
      const found: string[] = []
      for (let [who] = await openOf(instanceId); who; [who] = await openOf(instanceId)) {
        found.push(who)
        await world.agree(who as Who, instanceId)
      }
      return found
    }
    expect(await asked('500')).toEqual(['leader', 'zhou', 'gao'])
    expect(await asked('5000')).toEqual(['leader', 'director', 'zhou', 'other'])
    await world.rows(`update sys_staff set on_duty = true where id = 'chen'`)
  })

  it('voices of a vote that were handed over count as those of whom they stand for', async () => {
    await world.gateway.gateway.engine.transaction(systemContext({ now: world.gateway.clock.now() }), (entities) =>
      entities.insertMany('wf.delegation', [
        {
          id: 'vote',
          fromId: 'gao',
          toId: 'other',
          fromAt: '2020-01-01T00:00:00.000Z',
          untilAt: '2099-01-01T00:00:00.000Z',
          createdAt: new Date().toISOString(),
        },
      ]),
    )
    await world.publish(processOf('voted', [step('one', ['zhou', 'chen', 'gao'], { multiMode: 'vote', percent: 60 })]))
    const { instanceId } = await world.start('voted')
    expect(await openOf(instanceId)).toEqual(['chen', 'other', 'zhou'])
    await world.agree('other', instanceId)
    expect(await statusOf(instanceId)).toBe('running')
    await world.agree('chen', instanceId)
    expect([await statusOf(instanceId), await openOf(instanceId)]).toEqual(['done', []])
    expect((await world.detail('applicant', instanceId)).timeline.find(({ byName }) => byName === 'other')?.forName).toBe('gao')
    await world.rows(`delete from wf_delegation where id = 'vote'`)
  })

  it('tasks of somebody who may not sign in any more, or whose leader is asked already, go on to whoever is free', async () => {
    await world.gateway.addStaff({ id: 'gone', jobNumber: 'F98', name: 'gone', mainDeptId: 'deptSales' })
    await world.publish(
      processOf('locked', [
        { ...step('one', 'chen', { multiMode: 'all' }), assignees: [{ rule: 'staff', staff: ['gone', 'director'] }] },
      ]),
      { adminIds: ['admin'] },
    )
    const { instanceId } = await world.start('locked')
    await world.gateway.gateway.engine.transaction(systemContext(), (entities) =>
      entities.save('sys.staff', { id: 'gone', signInDisabled: true }, { reason: 'lost his phone' }),
    )
    expect(await openOf(instanceId)).toEqual(['admin', 'director'])
    await world.agree('director', instanceId)
    await world.agree('admin', instanceId)
    expect(await statusOf(instanceId)).toBe('done')
  })
})

describe('branches', () => {
  const inclusive: Node = {
    id: 'which',
    kind: 'inclusive',
    branches: [
      { id: 'large', when: '{{ sum > 100 }}', nodes: [step('big', 'zhou')] },
      { id: 'dated', when: '{{ on != null }}', nodes: [step('dates', 'chen')] },
      { id: 'usual', nodes: [step('small', 'gao')] },
    ],
  }

  it('all that hold are taken, else the usual one, and they join', async () => {
    await world.publish(processOf('inclusive', [inclusive, step('last', 'leader')]))
    const both = await world.start('inclusive', { sum: '500', on: '2030-01-01' })
    expect(await openOf(both.instanceId)).toEqual(['chen', 'zhou'])
    await world.agree('zhou', both.instanceId)
    expect(await openOf(both.instanceId)).toEqual(['chen'])
    await world.agree('chen', both.instanceId)
    expect(await openOf(both.instanceId)).toEqual(['leader'])
    expect(await openOf((await world.start('inclusive', { sum: '500' })).instanceId)).toEqual(['zhou'])
    expect(await openOf((await world.start('inclusive')).instanceId)).toEqual(['gao'])
  })
})

describe('other processes', () => {
  it('that are taken back or cannot be started tell the administrators, and are started again when they retry', async () => {
    await world.publish(processOf('subBad', [step('inner', 'chen')]), { adminIds: ['admin'] })
    const parent = (values: object) =>
      processOf('outer', [{ id: 'sub', kind: 'subProcess', process: 'subBad', values }, step('last', 'leader')])
    await world.publish(parent({}), { adminIds: ['admin'] })
    const subs = (id: string) =>
      world.rows<{ id: string; status: string }>(
        'select id, status from wf_instance where parent_id = $1 order by created_at, id',
        [id],
      )
    const { instanceId } = await world.start('outer', { reason: 'x' })
    // its form lacks the reason that it asks for: nothing of it stays
    expect(await subs(instanceId)).toEqual([])
    expect((await world.detail('admin', instanceId)).actions).toContain('retryEffect')
    await world.publish(parent({ reason: '{{ reason }}' }), { adminIds: ['admin'] })
    const next = await world.start('outer', { reason: 'x' })
    const [first] = await subs(next.instanceId)
    expect(first!.status).toBe('running')
    expect((await world.act('applicant', 'withdraw', { instanceId: first!.id })).code).toBe(0)
    expect((await world.detail('admin', next.instanceId)).actions).toContain('retryEffect')
    expect((await world.act('admin', 'admin', { instanceId: next.instanceId, op: 'retryEffect' })).code).toBe(0)
    const again = (await subs(next.instanceId)).find(({ status }) => status === 'running')!
    await world.agree('chen', again.id)
    expect(await openOf(next.instanceId)).toEqual(['leader'])
  })
})

describe('what runs', () => {
  it('goes on when its process is disabled, which nobody starts any more', async () => {
    const id = await world.publish(processOf('off', [step('one', 'leader'), step('two', 'chen')]))
    const { instanceId } = await world.start('off')
    await world.rows(`update wf_process set state = 'disabled' where id = $1`, [id])
    expect((await world.act('applicant', 'start', { code: 'off', formData: { reason: 'x' } })).code).toBe(10010007)
    await world.agree('leader', instanceId)
    await world.agree('chen', instanceId)
    expect(await statusOf(instanceId)).toBe('done')
  })

  it('is returned in a circle as often as people like, without growing and without losing anybody', async () => {
    await world.publish(
      processOf('circle', [step('one', 'leader'), step('two', 'chen', { rejectActions: ['rejectEnd', 'returnBackToMe'] })]),
    )
    const { instanceId } = await world.start('circle')
    const size = async () =>
      (await world.rows<{ n: number }>('select length(state::text) as n from wf_instance where id = $1', [instanceId]))[0]!.n
    await world.agree('leader', instanceId)
    const round = async () => {
      const taskId = await world.taskOf('chen', instanceId)
      expect((await world.act('chen', 'reject', { taskId, action: 'returnBackToMe', comment: 'again' })).data.status).toBe(
        'returned',
      )
      expect((await world.act('applicant', 'resubmit', { instanceId })).data.nextNodes).toEqual(['two'])
    }
    for (let count = 0; count < 3; count += 1) await round()
    const before = await size()
    for (let count = 0; count < 12; count += 1) await round()
    expect(await size()).toBeLessThan(before + 100)
    await world.agree('chen', instanceId)
    expect([await statusOf(instanceId), await openOf(instanceId)]).toEqual(['done', []])
  })

  it('waits no longer over a weekend than its working hours say', async () => {
    await world.publish(processOf('weekend', [step('one', 'leader', { limitHours: 9, onTimeout: 'autoReject' })]))
    const { instanceId } = await world.start('weekend')
    const [task] = await world.rows<{ arrived: string; due: string }>(
      'select arrived_at as arrived, due_at as due from wf_task where instance_id = $1',
      [instanceId],
    )
    const calendarHours = (new Date(task!.due).getTime() - new Date(task!.arrived).getTime()) / 3_600_000
    expect(calendarHours).toBeGreaterThanOrEqual(9)
    world.gateway.clock.forward(Math.floor(calendarHours * 3600) - 60)
    await world.ring()
    expect(await statusOf(instanceId)).toBe('running')
    world.gateway.clock.forward(120)
    await world.ring()
    expect(await statusOf(instanceId)).toBe('rejected')
  })
})

describe('many at once', () => {
  it('submit, read and decide on more connections than there are, and everybody is answered', async () => {
    await world.publish(processOf('crowd', [step('one', 'leader')]))
    const started = await Promise.all(Array.from({ length: 24 }, () => world.start('crowd')))
    expect(new Set(started.map(({ instanceId }) => instanceId)).size).toBe(24)
    const seen = await Promise.all(started.map(({ instanceId }) => world.detail('leader', instanceId)))
    const answers = await Promise.all(seen.map(({ myTask }) => world.act('leader', 'agree', { taskId: myTask!.taskId })))
    expect(answers.map(({ data }) => data.status)).toEqual(answers.map(() => 'done'))
    const codes = await world.rows<{ code: string }>(
      `select i.code from wf_instance i join wf_process p on p.id = i.process_id where p.code = 'crowd'`,
    )
    expect(new Set(codes.map(({ code }) => code)).size).toBe(24)
  })
})

describe('a hostile condition', () => {
  it.each([
    ['reaches for a prototype', "{{ reason.constructor.constructor('return process')() }}"],
    ['reaches for __proto__', '{{ __proto__.polluted }}'],
    ['is nested deeply', `{{ ${'('.repeat(5_000)}1${')'.repeat(5_000)} > 0 }}`],
    ['is long', `{{ ${Array.from({ length: 50_000 }, () => '1').join(' + ')} > 0 }}`],
    ['calls what is not there', "{{ require('fs') }}"],
  ])('that %s is refused where it is written, at once, and does no harm where it got in', async (what, when) => {
    const code = `hostile${what.length}`
    const nodes: Node[] = [
      {
        id: 'how',
        kind: 'condition',
        branches: [
          { id: 'a', when, nodes: [] },
          { id: 'b', nodes: [] },
        ],
      },
      step('one', 'leader'),
    ]
    const designer: Caller = world.as.admin
    await world.rows(
      `update sys_role set button_keys = button_keys || '["wf:design"]'::jsonb where button_keys @> '["wf:admin"]'::jsonb and not button_keys @> '["wf:design"]'::jsonb`,
    )
    const begun = performance.now()
    const saved = await designer.post('/v2/workflow/process/save', { document: processOf(code, nodes) })
    expect([saved.status < 500, saved.code === 0]).toEqual([true, false])
    await world.publish(processOf(code, nodes), { adminIds: ['admin'] })
    const answer = await world.act('applicant', 'start', { code, formData: { reason: 'x' } })
    expect(answer.status, answer.text).toBeLessThan(500)
    expect(performance.now() - begun).toBeLessThan(15_000)
    expect({}).not.toHaveProperty('polluted')
  })
})
