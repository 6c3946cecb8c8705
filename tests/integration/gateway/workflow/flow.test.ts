import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import { readFixture } from '../../../unit/schema/validate/world'
import { flowWorld, label, processOf, step, type FlowWorld, type Shown } from './flowWorld'

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld()
})
afterAll(() => world.close())

const people = (path: Shown[]): string[] =>
  path.flatMap((node) => [
    ...node.assignees.map(({ id }) => id),
    ...(node.branches ?? []).filter(({ taken }) => taken).flatMap(({ nodes }) => people(nodes)),
  ])

describe('an application', () => {
  it('is started, agreed to by one after the other, and ends', async () => {
    await world.publish(
      processOf('plain', [step('first', 'leader'), step('second', 'chen', { cc: [{ rule: 'staff', staff: ['gao'] }] })]),
    )
    const { instanceId, status } = await world.start('plain', { sum: '100' })
    expect(status).toBe('running')
    const [todo] = await world.rows<{ link: string }>(`select link from sys_todo where staff_id = 'leader' and status = 'open'`)
    expect(todo?.link).toBe(`/general/process/my-agent/profile?taskId=${await world.taskOf('leader', instanceId)}`)
    expect((await world.detail('leader', instanceId)).myTask?.agreeActions).toEqual(['agree'])
    expect((await world.agree('leader', instanceId, { comment: 'fine' })).data.nextNodes).toEqual(['second'])
    expect(await world.rows(`select 1 from sys_todo where staff_id = 'leader' and status = 'open'`)).toEqual([])
    expect((await world.agree('chen', instanceId)).data.status).toBe('done')
    const detail = await world.detail('applicant', instanceId)
    expect(detail.instance.status).toBe('done')
    expect(detail.timeline.map(({ action }) => action)).toEqual(['start', 'agree', 'agree'])
    expect(detail.path.map(({ id, state }) => `${id} ${state}`)).toEqual(['start done', 'first done', 'second done', 'end done'])
    expect(detail.cc.map(({ id }) => id)).toEqual(['gao'])
    const [told] = await world.rows<{ n: number }>(
      `select count(*)::int as n from sys_message where receiver_id = 'applicant' and title_en like 'Agreed%'`,
    )
    expect(told?.n).toBe(1)
  })

  it('is not seen by who takes no part in it, nor by a task that is not his', async () => {
    const { instanceId } = await world.start('plain')
    const taskId = await world.taskOf('leader', instanceId)
    for (const [call, body] of [
      ['instanceDetail', { instanceId }],
      ['instanceDetail', { taskId }],
      ['form/data', { instanceId }],
      ['agree', { taskId }],
      ['reject', { taskId, comment: 'no' }],
      ['transmit', { taskId, toStaffIds: ['gao'] }],
      ['comment', { instanceId, comment: 'x' }],
      ['withdraw', { instanceId }],
      ['urge', { instanceId }],
      ['resubmit', { instanceId }],
    ] as const)
      expect([call, (await world.act('other', call, body)).code]).toEqual([call, 10010004])
    expect((await world.act('other', 'admin', { instanceId, op: 'terminate', comment: 'x' })).code).toBe(10010003)
    expect(await world.taskOf('other', instanceId)).toBeNull()
  })

  it('is refused with the fields that are wrong', async () => {
    const answer = await world.act('applicant', 'start', { code: 'plain', formData: { sum: 'much', secret: 'x', nothing: 1 } })
    expect(answer.code).toBe(10010005)
    const { errors } = answer.data as unknown as { errors: { field: string }[] }
    expect(errors.map(({ field }) => field).toSorted()).toEqual(['nothing', 'secret', 'sum'])
    const empty = await world.act('applicant', 'start', { code: 'plain', formData: {} })
    expect((empty.data as unknown as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(['reason'])
    expect((await world.act('applicant', 'start', { code: 'unknown', formData: {} })).code).toBe(10010004)
  })

  it('is rejected with a comment, which tells the applicant', async () => {
    const { instanceId } = await world.start('plain')
    const taskId = await world.taskOf('leader', instanceId)
    expect((await world.act('leader', 'reject', { taskId })).code).toBe(10010005)
    expect((await world.act('leader', 'reject', { taskId, comment: 'too much' })).data.status).toBe('rejected')
    expect((await world.act('leader', 'agree', { taskId })).code).toBe(10010006)
  })

  it('goes back to the applicant and on again, and back to who returned it where he says so', async () => {
    await world.publish(
      processOf('back', [
        step('one', 'leader'),
        step('two', 'chen'),
        step('three', 'zhou', { rejectActions: ['rejectEnd', 'returnStart', 'returnPrevious', 'returnNode', 'returnBackToMe'] }),
      ]),
    )
    const { instanceId } = await world.start('back')
    await world.agree('leader', instanceId)
    await world.agree('chen', instanceId)
    const mine = (await world.detail('zhou', instanceId)).myTask!
    expect(mine.returnTargets.map(({ nodeId }) => nodeId)).toEqual(['start', 'one', 'two'])
    const back = await world.act('zhou', 'reject', {
      taskId: mine.taskId,
      action: 'returnBackToMe',
      comment: 'papers are missing',
    })
    expect(back.data.status).toBe('returned')
    expect((await world.detail('applicant', instanceId)).actions).toContain('resubmit')
    expect(
      (await world.act('applicant', 'resubmit', { instanceId, formData: { reason: 'with papers' } })).data.nextNodes,
    ).toEqual(['three'])
    const previous = await world.act('zhou', 'reject', {
      taskId: await world.taskOf('zhou', instanceId),
      action: 'returnPrevious',
      comment: 'look again',
    })
    expect(previous.data.nextNodes).toEqual(['two'])
    await world.agree('chen', instanceId)
    const node = await world.act('zhou', 'reject', {
      taskId: await world.taskOf('zhou', instanceId),
      action: 'returnNode',
      targetNodeId: 'one',
      backToMe: true,
      comment: 'ask him',
    })
    expect(node.data.nextNodes).toEqual(['one'])
    expect((await world.agree('leader', instanceId)).data.nextNodes).toEqual(['three'])
    const far = await world.act('zhou', 'reject', {
      taskId: await world.taskOf('zhou', instanceId),
      action: 'returnNode',
      targetNodeId: 'three',
      comment: 'no',
    })
    expect(far.code).toBe(10010007)
    expect((await world.agree('zhou', instanceId)).data.status).toBe('done')
  })

  it('is handed on, with an opinion asked, and signed before and after', async () => {
    await world.publish(
      processOf('signs', [
        step('one', 'leader', { agreeActions: ['agree', 'agreeAddBefore', 'agreeAddAfter', 'agreeTransmit'] }),
      ]),
    )
    const { instanceId } = await world.start('signs')
    const taskId = await world.taskOf('leader', instanceId)
    expect((await world.act('leader', 'transmit', { taskId, toStaffIds: ['applicant'] })).code).toBe(10010005)
    expect((await world.act('leader', 'transmit', { taskId, toStaffIds: ['chen'] })).code).toBe(0)
    expect((await world.act('leader', 'agree', { taskId })).code).toBe(10010006)
    const asked = await world.act('chen', 'addSign', {
      taskId: await world.taskOf('chen', instanceId),
      toStaffIds: ['gao'],
      comment: 'what do you think?',
    })
    expect(asked.code).toBe(0)
    expect(await world.taskOf('chen', instanceId)).toBeNull()
    await world.agree('gao', instanceId, { comment: 'good' })
    await world.agree('chen', instanceId, { action: 'agreeAddAfter', toStaffIds: ['zhou'] })
    expect((await world.agree('zhou', instanceId)).data.status).toBe('done')
    const actions = (await world.detail('applicant', instanceId)).timeline.map(({ action, variant }) => variant ?? action)
    expect(actions).toEqual(['start', 'transmit', 'addSign', 'agree', 'agreeAddAfter', 'agree'])
  })

  it('is taken back before anybody decided, and not afterwards', async () => {
    const first = await world.start('plain')
    expect((await world.act('applicant', 'withdraw', { instanceId: first.instanceId })).data.status).toBe('withdrawn')
    expect(await world.taskOf('leader', first.instanceId)).toBeNull()
    const second = await world.start('plain')
    await world.agree('leader', second.instanceId)
    const late = await world.act('applicant', 'withdraw', { instanceId: second.instanceId })
    expect(late.code).toBe(10010007)
    // the approver's own decision, as long as the next one has not looked
    const [task] = await world.rows<{ id: string }>(`select id from wf_task where instance_id = $1 and assignee_id = 'leader'`, [
      second.instanceId,
    ])
    expect((await world.act('leader', 'takeBack', { taskId: task!.id })).data.nextNodes).toEqual(['first'])
    // once more: there is no decision any more, which no minutes explain
    expect((await world.act('leader', 'takeBack', { taskId: task!.id })).data).toMatchObject({ reason: 'takenBack' })
    await world.agree('leader', second.instanceId)
    await world.act('chen', 'read', { taskId: await world.taskOf('chen', second.instanceId) })
    expect((await world.act('leader', 'takeBack', { taskId: task!.id })).code).toBe(10010007)
  })

  it('is submitted without what stands in a group that is not shown; a draft keeps it, and later steps keep what was signed', async () => {
    const plain = processOf('hidden', [step('one', 'leader', { fieldRights: { approvedSum: 'E', reason: 'E' } })])
    await world.publish({
      ...plain,
      nodes: plain.nodes.map((node) => (node.kind === 'start' ? { ...node, fieldRights: {} } : node)),
      form: {
        ...plain.form,
        groups: [{ id: 'more', title: label('More'), fields: ['secret', 'approvedSum'], when: "{{ reason !== 'plain' }}" }],
      },
    } as ProcessDocument)
    const draft = await world.as.applicant.post<{ instanceId: string }>('/v2/workflow/operate/saveDraft', {
      code: 'hidden',
      formData: { reason: 'plain', secret: 'unseen' },
    })
    const { instanceId } = draft.data
    expect((await world.detail('applicant', instanceId)).form.values.secret).toBe('unseen')
    await world.act('applicant', 'start', { instanceId, formData: { reason: 'plain', secret: 'unseen', approvedSum: '7' } })
    expect((await world.detail('applicant', instanceId)).form.values).toMatchObject({
      secret: null,
      approvedSum: null,
      reason: 'plain',
    })

    const shown = await world.start('hidden', { reason: 'more', secret: 'seen' })
    await world.agree('leader', shown.instanceId, { formData: { reason: 'plain' } })
    expect((await world.detail('applicant', shown.instanceId)).form.values).toMatchObject({ secret: 'seen', reason: 'plain' })
  })

  it('the case process-group-when: what a group that is not shown holds is neither kept nor asked for', async () => {
    const given = readFixture<ProcessDocument>('cases/process-group-when.json')
    const nodes = given.nodes.map((node) => (node.id === 'one' ? step('one', 'leader') : node))
    await world.publish({ ...given, nodes })
    const kept = async (formData: object): Promise<unknown> => {
      const { instanceId } = await world.start(given.name, formData)
      return (await world.detail('applicant', instanceId)).form.values
    }
    const filled = { secret: 'unseen', need: 'unseen' }
    expect(await kept({ kind: 'b', ...filled })).toMatchObject({ kind: 'b', secret: null, need: null })
    expect(await kept({ kind: 'a', ...filled })).toMatchObject({ kind: 'a', ...filled })
  })

  it('is a draft first, which is submitted with its own id', async () => {
    const draft = await world.as.applicant.post<{ instanceId: string; status: string }>('/v2/workflow/operate/saveDraft', {
      code: 'plain',
      formData: { sum: '5' },
    })
    expect(draft.data.status, draft.text).toBe('draft')
    const { instanceId } = draft.data
    expect((await world.act('leader', 'instanceDetail', { instanceId })).code).toBe(10010004)
    expect((await world.detail('applicant', instanceId)).form.values.sum).toBe('5')
    const again = await world.as.applicant.post<{ instanceId: string }>('/v2/workflow/operate/saveDraft', {
      instanceId,
      formData: { sum: '6' },
    })
    expect(again.data.instanceId).toBe(instanceId)
    const started = await world.start('plain', { sum: '7' }, { instanceId })
    expect(started).toMatchObject({ instanceId, status: 'running' })
  })

  it('shows the way before it is submitted, with names and what is wrong', async () => {
    await world.publish(
      processOf(
        'amounts',
        [
          step('l1', 'leader', { assignees: [{ rule: 'deptLeader', level: 1 }] }),
          {
            id: 'big',
            kind: 'condition',
            label: { zh: '金额', en: 'Amount' },
            branches: [
              { id: 'more', label: { zh: '超过', en: 'More' }, when: '{{ amountCny > 500000 }}', nodes: [step('cfo', 'zhou')] },
              { id: 'less', label: { zh: '其他', en: 'Less' }, nodes: [] },
            ],
          },
          step('fin', 'chen', { assignees: [{ rule: 'deptLeader', level: 2 }] }),
        ],
        { amount: '{{ sum }}' },
      ),
    )
    const dry = (formData: object) =>
      world.as.applicant.post<{ path: Shown[]; errors: { field?: string }[] }>('/v2/workflow/operate/start', {
        code: 'amounts',
        formData,
        dryRun: true,
      })
    const big = (await dry({ sum: '600000', reason: 'large' })).data
    expect(people(big.path)).toEqual(['leader', 'zhou', 'director'])
    expect(big.errors).toEqual([])
    const small = (await dry({ sum: '500000' })).data
    expect(people(small.path)).toEqual(['leader', 'director'])
    expect(small.errors.map(({ field }) => field)).toEqual(['reason'])
    // an empty field in a condition is no fault: the last way is taken
    expect(people((await dry({ reason: 'no sum' })).data.path)).toEqual(['leader', 'director'])
  })
})
