import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError, systemContext } from '../../../../gateway/platform/http'
import { flowWorld, label, processOf, step, type Detail, type FlowWorld, type Who } from './flowWorld'

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld()
  await world.rows(`update sys_staff set name_en = initcap(id) || ' Smith' where id in ('applicant', 'leader', 'chen')`)
})
afterAll(() => world.close())

const ENGLISH = { 'accept-language': 'en' }
const openOf = async (instanceId: string): Promise<string[]> =>
  (
    await world.rows<{ who: string }>(
      `select assignee_id as who from wf_task where instance_id = $1 and status = 'pending' order by 1`,
      [instanceId],
    )
  ).map(({ who }) => who)
const toldTo = async (who: Who, instanceId: string): Promise<string[]> =>
  (
    await world.rows<{ en: string }>(
      `select title_en as en from sys_message where receiver_id = $1 and subject_id = $2 order by id`,
      [who, instanceId],
    )
  ).map(({ en }) => en)
const inEnglish = async (who: Who, instanceId: string) =>
  (
    await world.as[who].post<{
      instance: { applicantName: string; effectError: string | null; title: { en: string } }
      timeline: { action: string; variant?: string; byName: string; comment: string | null; toNames: string[] }[]
      myTask: { rejectActions: string[]; returns: { times: number; most: number } } | null
    }>('/v2/workflow/operate/instanceDetail', { instanceId }, ENGLISH)
  ).data

describe('a circle of returns', () => {
  it('ends when one step has returned as often as it may: its administrators hear of it, it can agree or reject, and a move begins anew', async () => {
    const returning = step('two', 'chen', { rejectActions: ['rejectEnd', 'returnBackToMe'] })
    await world.publish(processOf('often', [step('one', 'leader'), returning], { maxReturns: 3 }), { adminIds: ['admin'] })
    const { instanceId } = await world.start('often')
    await world.agree('leader', instanceId)
    const giveBack = async () =>
      world.act('chen', 'reject', { taskId: await world.taskOf('chen', instanceId), action: 'returnBackToMe', comment: 'again' })
    for (let count = 0; count < 3; count += 1) {
      expect((await giveBack()).data.status).toBe('returned')
      expect((await world.act('applicant', 'resubmit', { instanceId })).data.nextNodes).toEqual(['two'])
    }
    const refused = await giveBack()
    expect([refused.code, refused.msg]).toEqual([10010007, expect.stringContaining('已退回 3 次')])
    const { myTask, timeline } = await inEnglish('chen', instanceId)
    expect(myTask).toMatchObject({ rejectActions: ['rejectEnd'], returns: { times: 3, most: 3 } })
    expect(timeline.filter(({ action }) => action === 'alarm')).toMatchObject([
      { variant: 'returnedOften', comment: 'Returned 3 times: this step cannot return it again', toNames: ['admin'] },
    ])
    expect((await toldTo('admin', instanceId)).filter((text) => text.startsWith('Returned too often'))).toHaveLength(1)
    await world.act('admin', 'admin', { instanceId, op: 'jump', targetNodeId: 'two', comment: 'once more' })
    expect((await giveBack()).data.status).toBe('returned')
  })
})

describe('people who are picked', () => {
  it('by the step before: without a pick it cannot go on, and is told whom to choose; nothing is done', async () => {
    const picked = { assignees: [{ rule: 'pickByPrevious' as const, staff: ['gao', 'zhou'] }] }
    await world.publish(processOf('pickNext', [step('one', 'leader'), step('two', 'chen'), step('three', 'chen', picked)]))
    const { instanceId } = await world.start('pickNext')
    expect((await world.detail('leader', instanceId)).myTask?.pick).toEqual([])
    await world.agree('leader', instanceId)
    expect((await world.detail('chen', instanceId)).myTask?.pick).toMatchObject([{ nodeId: 'three', required: true }])
    for (const pickedAssignees of [{}, { three: [] }, { three: ['director'] }]) {
      const refused = await world.act('chen', 'agree', { instanceId, pickedAssignees })
      expect([refused.code, refused.data]).toMatchObject([10010005, { errors: [{ field: 'pickedAssignees.three' }] }])
    }
    expect(await openOf(instanceId)).toEqual(['chen'])
    await world.agree('chen', instanceId, { pickedAssignees: { three: ['gao'] } })
    expect(await openOf(instanceId)).toEqual(['gao'])
  })

  it('by nobody, because a limit decided: the administrators have it, and the timeline says why', async () => {
    await world.publish(
      processOf('pickLate', [
        step('one', 'leader', { limitHours: 1, workCalendar: false, onTimeout: 'autoAgree' }),
        step('two', 'chen', { assignees: [{ rule: 'pickByPrevious', staff: ['gao'] }] }),
      ]),
    )
    const { instanceId } = await world.start('pickLate')
    world.gateway.clock.forward(3_700)
    await world.ring()
    // (the first administrator of an empty company is one too)
    expect(await openOf(instanceId)).toContain('admin')
    expect((await inEnglish('applicant', instanceId)).timeline.at(-1)).toMatchObject({
      action: 'alarm',
      variant: 'nobody',
      comment: 'The step before picked nobody: the administrators of the process',
      toNames: expect.arrayContaining(['admin']) as string[],
    })
  })
})

describe('several at once', () => {
  it('are agreed to when they are of one process and at most 50; each that asks for more than a yes says so with its number', async () => {
    const onlyYes = await world.publish(processOf('many', [step('one', 'leader')]))
    await world.publish(processOf('manyMore', [step('one', 'leader', { fieldRights: { approvedSum: 'M' } })]))
    const taskOf = async (code: string) => (await world.taskOf('leader', (await world.start(code)).instanceId))!
    const [first, second, other] = [await taskOf('many'), await taskOf('many'), await taskOf('manyMore')]
    const agreeTo = (taskIds: string[]) =>
      world.as.leader.post<{ done: string[]; refused: { id: string; title: string; reason: string }[] }>(
        '/v2/workflow/operate/agreeMany',
        { taskIds },
        ENGLISH,
      )
    const tooMany = await agreeTo([first, ...Array.from({ length: 50 }, (_, index) => `t${index}`)])
    expect([tooMany.code, tooMany.msg]).toEqual([10010005, expect.stringContaining('At most 50')])
    const mixed = await agreeTo([first, other])
    expect([mixed.code, mixed.msg]).toEqual([10010005, expect.stringContaining('Filter by process first')])
    expect(await world.rows(`select 1 from wf_task where process_id = $1 and status = 'agreed'`, [onlyYes])).toEqual([])
    expect((await agreeTo([first, second])).data).toEqual({ done: [first, second], refused: [] })
    const { refused } = (await agreeTo([other])).data
    expect(refused).toMatchObject([
      { id: other, title: expect.stringMatching(/^MANYMO/), reason: expect.stringContaining('Open it') },
    ])
  })
})

describe('in English', () => {
  it('people have their English names in titles, lists and messages, and what went wrong is said in English', async () => {
    let covers = true
    world.gateway.gateway.engine.registerVerb('test.refuses', () =>
      covers
        ? Promise.resolve()
        : Promise.reject(new ServiceError('transitionRefused', { message: { zh: '余额不足', en: 'The balance is too low' } })),
    )
    await world.publish(
      processOf('spoken', [step('one', 'leader', { limitHours: 1, workCalendar: false, onTimeout: 'autoAgree' })], {
        title: { zh: '{{ applicant.name }} · {{ sum }}', en: '{{ applicant.name }} · {{ sum }}' },
        effects: { agreed: [{ id: 'no', do: 'test.refuses', with: {} }] },
      }),
      { adminIds: ['admin'] },
    )
    const { instanceId } = await world.start('spoken', { sum: '5' })
    const list = await world.as.leader.post<{
      list: { instanceId: string; applicantName: string; title: { zh: string; en: string }; currentHandlers: string[] }[]
    }>('/v2/workflow/my/toDoPage', {}, ENGLISH)
    expect(list.data.list.find((line) => line.instanceId === instanceId)).toMatchObject({
      applicantName: 'Applicant Smith',
      title: { zh: 'applicant · 5', en: 'Applicant Smith · 5' },
      currentHandlers: ['Leader Smith'],
    })
    const [todo] = await world.rows<{ en: string }>(
      `select title_en as en from sys_message where receiver_id = 'leader' and subject_id = $1`,
      [await world.taskOf('leader', instanceId)],
    )
    expect(todo?.en).toContain('Applicant Smith')
    covers = false
    world.gateway.clock.forward(3_700)
    await world.ring()
    const failed = await inEnglish('applicant', instanceId)
    expect(failed.instance).toMatchObject({ applicantName: 'Applicant Smith', effectError: 'The balance is too low' })
    expect(failed.timeline.at(-1)).toMatchObject({ action: 'effect', comment: 'It failed: The balance is too low' })
    expect((await world.detail('applicant', instanceId)).instance.effectError).toBe('余额不足')
    expect((await toldTo('admin', instanceId)).at(-1)).toContain('Nothing of it has been done. The balance is too low')
  })
})

describe('whoever may not read the names of customers', () => {
  it('knows an application by its process and the alias of the customer, in his list, on its page and as the title of a task', async () => {
    const { gateway } = world
    await gateway.addStaff({ id: 'seller', jobNumber: 'F81', name: 'seller', scopes: { '*': ['all'] } })
    const seller = await gateway.signIn('F81')
    await gateway.addStaff({
      id: 'noc',
      jobNumber: 'F80',
      fieldRules: { 'crm.customer.name': 'mask', 'crm.customer.shortName': 'hide' },
    })
    await gateway.gateway.engine.transaction(systemContext(), (entities) =>
      entities.insertMany('crm.customer', [
        {
          id: 'nova',
          code: 'CU-1',
          name: 'Nova Telecom',
          nameKey: 'novatelecom',
          alias: 'SGK7QD',
          holding: 'private',
          ownerId: 'applicant',
          stage: 'dealt',
          createdAt: new Date().toISOString(),
        },
      ]),
    )
    const about = processOf('aboutOne', [step('one', 'noc' as Who)], { title: label('{{ customerId.name }} · {{ sum }}') })
    about.form.fields['customerId'] = { type: 'string', 'x-ref': 'crm.customer', 'x-label': label('Customer') }
    await world.publish(about)
    const started = await seller.post<{ instanceId: string }>('/v2/workflow/operate/start', {
      code: 'aboutOne',
      formData: { reason: 'because', sum: '5', customerId: 'nova' },
    })
    expect(started.code, started.text).toBe(0)
    const { instanceId } = started.data
    const own = await seller.post<Detail>('/v2/workflow/operate/instanceDetail', { instanceId })
    expect(own.data.instance.title.zh).toBe('Nova Telecom · 5')
    const noc = await gateway.signIn('F80')
    const list = await noc.post<{ list: { title: { zh: string } }[] }>('/v2/workflow/my/toDoPage')
    expect(list.data.list.map(({ title }) => title.zh)).toEqual(['aboutOne · SGK7QD'])
    const shown = await noc.post<Detail>('/v2/workflow/operate/instanceDetail', { instanceId })
    expect(shown.data.instance.title.zh).toBe('aboutOne · SGK7QD')
    const tasks = await noc.post('/v2/wf/task/queryPage', { pageSize: 10 })
    expect(tasks.text).toContain('SGK7QD')
    for (const answer of [list, shown, tasks]) expect(answer.text).not.toContain('Nova')
  })
})

describe('time', () => {
  it('stands still over a company holiday: the five working hours of the eve of the National Day end after it', async () => {
    const { clock } = world.gateway
    const to = (moment: string): void => clock.forward((Date.parse(`${moment}:00+08:00`) - clock.now().getTime()) / 1_000)
    const back = clock.now().getTime()
    to('2026-09-30T16:00')
    for (const [who, job] of [
      ['applicant', 'F0'],
      ['leader', 'F1'],
    ] as const)
      world.as[who] = await world.gateway.signIn(job)
    await world.publish(processOf('holiday', [step('one', 'leader', { limitHours: 5, onTimeout: 'autoReject' })]))
    const { instanceId } = await world.start('holiday')
    const [task] = await world.rows<{ due: string }>('select due_at as due from wf_task where instance_id = $1', [instanceId])
    expect(Math.round(Date.parse(task!.due) / 60_000)).toBe(Date.parse('2026-10-08T12:00:00+08:00') / 60_000)
    const statusAt = async (moment: string): Promise<string> => {
      to(moment)
      await world.ring()
      return (await world.rows<{ status: string }>('select status from wf_instance where id = $1', [instanceId]))[0]!.status
    }
    const reminders = async () => (await toldTo('leader', instanceId)).filter((text) => text.startsWith('Reminder')).length
    expect([await statusAt('2026-10-07T18:00'), await reminders()]).toEqual(['running', 0])
    expect([await statusAt('2026-10-08T11:50'), await reminders()]).toEqual(['running', 1])
    expect(await statusAt('2026-10-08T12:05')).toBe('rejected')
    clock.forward((back - clock.now().getTime()) / 1_000)
  })
})
