import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../gateway/platform/http'
import type { ProcessDocument } from '../../../../src/schema/generated/process'
import type { Answer } from '../../../support/gateway'
import { flowWorld, processOf, step, type FlowWorld } from './flowWorld'

let world: FlowWorld
/** What the account of these applications holds; the effect takes the sum from it. */
let holds = 100

const refuses = (field: string, zh: string, en: string): ServiceError =>
  new ServiceError('factsChanged', { message: { zh, en }, data: { field } })

beforeAll(async () => {
  world = await flowWorld()
  const { engine } = world.gateway.gateway
  engine.registerVerb('test.take', async ({ tx }, runs) => {
    for (const { with: given } of runs) {
      if (Number(given.amount) > holds) throw refuses('amount', '余额不足', 'The balance is too low')
      if (!given.reference) throw refuses('reference', '缺少流水号', 'The reference is missing')
      await tx.query(`insert into sys_sequence_probe values ($1)`, [given.reference])
    }
  })
  engine.registerVerb('test.atEnd', ({ tx }) => {
    tx.beforeCommit(() => (holds < 0 ? Promise.reject(refuses('amount', '已透支', 'Overdrawn')) : Promise.resolve()), null)
    return Promise.resolve()
  })
  engine.registerOutsideVerb('test.bank', () => Promise.resolve({}))
  await world.rows('create table if not exists sys_sequence_probe (reference text)')
}, 120_000)
afterAll(() => world.close())

const EFFECTS: ProcessDocument['effects'] = {
  agreed: [
    { id: 'take', do: 'test.take', with: { amount: '{{ sum }}', reference: '{{ secret }}' } },
    { id: 'end', do: 'test.atEnd', with: {} },
    { id: 'bank', do: 'test.bank', with: {}, later: {} },
  ],
}
/** The leader agrees, the cashier types the reference. */
const money = (name: string, more: Partial<ProcessDocument> = {}): ProcessDocument =>
  processOf(name, [step('one', 'leader'), step('cash', 'chen', { fieldRights: { secret: 'M', sum: 'E' } })], {
    group: 'money',
    effects: EFFECTS,
    ...more,
  })
const begin = (code: string, sum: string, more: object = {}): Promise<Answer<{ instanceId: string }>> =>
  world.as.applicant.post('/v2/workflow/operate/start', { code, formData: { reason: 'because it is so', sum }, ...more })
const left = async () =>
  (
    await world.rows<{ rows: number }>(
      `select (select count(*)::int from sys_sequence_probe) + (select count(*)::int from sys_outbox where verb = 'test.bank') as rows`,
    )
  )[0]!.rows

describe('what the end would refuse', () => {
  it('is refused when it is submitted, at the field of the form, and leaves nothing', async () => {
    await world.publish(money('early'))
    const answer = await begin('early', '101')
    expect(answer.code, answer.text).toBe(10060059)
    expect(answer.data).toMatchObject({ field: 'sum', errors: [{ field: 'sum', rule: 'effect', message: '余额不足' }] })
    const tried = await world.as.applicant.post<{ errors: object[] }>('/v2/workflow/operate/start', {
      code: 'early',
      formData: { reason: 'because it is so', sum: '101' },
      dryRun: true,
    })
    expect(tried.data.errors).toMatchObject([{ field: 'sum', text: { en: 'The balance is too low' }, code: 10060059 }])
    expect(await left()).toBe(0)
    expect(
      await world.rows(`select 1 from wf_instance i join wf_process p on p.id = i.process_id where p.code = 'early'`),
    ).toEqual([])
  })

  it('is refused before each decision; what a step ahead fills in is waited for', async () => {
    await world.publish(money('later'))
    const { data } = await begin('later', '100')
    holds = 50
    const refused = await world.act('leader', 'agree', { taskId: await world.taskOf('leader', data.instanceId) })
    expect(refused.code, refused.text).toBe(10060059)
    holds = 100
    await world.agree('leader', data.instanceId)
    expect(await left()).toBe(0)
    holds = 50
    const taskId = await world.taskOf('chen', data.instanceId)
    expect((await world.act('chen', 'agree', { taskId, formData: { secret: 'REF-1' } })).code).toBe(10060059)
    expect((await world.detail('chen', data.instanceId)).instance.status).toBe('running')
    // whoever decides mends what he may
    expect((await world.act('chen', 'agree', { taskId, formData: { secret: 'REF-1', sum: '50' } })).data.status).toBe('agreed')
    expect(await left()).toBe(2)
    holds = 100
  })

  it('is told of what the transaction does last, too', async () => {
    await world.publish(money('last', { effects: { agreed: EFFECTS!.agreed!.slice(1, 2) } }))
    holds = -1
    const answer = await begin('last', '1')
    expect([answer.code, answer.msg]).toEqual([10060059, '已透支'])
    holds = 100
    expect((await begin('last', '1')).code).toBe(0)
  })

  it('is not looked for while a step ahead has effects of its own, on which the end may build', async () => {
    const { nodes } = money('stepwise')
    const service = {
      id: 'prepare',
      kind: 'service',
      label: { zh: '准备', en: 'Prepare' },
      effects: [EFFECTS!.agreed![1]!],
    } as const
    await world.publish(
      money('stepwise', { nodes: [...nodes.slice(0, 2), service, ...nodes.slice(2)] } as Partial<ProcessDocument>),
    )
    const { code, data } = await begin('stepwise', '101')
    expect(code).toBe(0)
    expect((await world.act('leader', 'agree', { taskId: await world.taskOf('leader', data.instanceId) })).code).toBe(10060059)
  })
})

describe('effects that failed all the same', () => {
  it('say what became of the money, and are mended by who decided last', async () => {
    const nodes = [
      step('one', 'leader', { fieldRights: { sum: 'E', secret: 'M' } }),
      step('time', 'zhou', { limitHours: 1, workCalendar: false, onTimeout: 'autoAgree' }),
    ]
    await world.publish(processOf('mended', nodes, { group: 'money', effects: { agreed: EFFECTS!.agreed!.slice(0, 1) } }), {
      adminIds: ['admin'],
    })
    const { data } = await begin('mended', '100')
    await world.agree('leader', data.instanceId, { formData: { secret: 'REF-2' } })
    holds = 80
    world.gateway.clock.forward(3_700)
    await world.ring()
    const { instance, actions, form } = (await world.detail('leader', data.instanceId)) as unknown as {
      instance: { status: string; effectError: string; effectState: string }
      actions: string[]
      form: { rights: Record<string, string> }
    }
    expect(instance).toMatchObject({ status: 'effectFailed', effectError: '余额不足', effectState: '款项没有入账，账户未变。' })
    expect([actions.includes('retryEffect'), form.rights.sum]).toEqual([true, 'E'])
    expect(
      await world.rows(
        `select 1 from sys_message where receiver_id in ('admin', 'applicant', 'leader') and title_en like '%The money has NOT been posted; no account has changed. The balance is too low%'`,
      ),
    ).toHaveLength(3)
    const retry = (who: 'applicant' | 'leader' | 'other', formData = {}) =>
      world.act(who, 'admin', { instanceId: data.instanceId, op: 'retryEffect', formData })
    expect((await retry('other')).code).not.toBe(0)
    expect((await retry('applicant')).data.status).toBe('effectFailed')
    const still = await retry('leader', { sum: '90' })
    expect([still.code, still.msg]).toEqual([10060059, '余额不足'])
    expect((await retry('leader', { sum: '80' })).data.status).toBe('done')
    const { timeline } = await world.detail('applicant', data.instanceId)
    expect(timeline.find(({ variant, diff }) => variant === 'retry' && diff.length > 0)).toMatchObject({
      byId: 'leader',
      diff: [{ field: 'sum' }],
    })
    holds = 100
  })
})
