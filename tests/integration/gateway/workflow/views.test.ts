import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../gateway/entities'
import { BUSINESS_DOCUMENTS, type BusinessDocument } from '../../../../gateway/workflow/views/documents'
import { newId } from '../../../../gateway/platform/database'
import { systemContext } from '../../../../gateway/platform/http'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'

interface Detail {
  service: string
  entity: string
  document: EntityRecord | null
  instance: EntityRecord | null
  values: EntityRecord
  further: { entity: string; records: EntityRecord[] }[]
  timeline: EntityRecord[]
}
interface Made {
  kind: BusinessDocument
  documentId: string
  instanceId: string
}

let test: TestGateway
let applicant: Caller
let copied: Caller
let owner: Caller
let stranger: Caller
let finance: Caller
/** Read with a key of finance alone. */
const OF_FINANCE = ['fin.hedge', 'fin.payment']
const made: Made[] = []
const CALLS = { url: new URL('../../../../schemas/calls.json', import.meta.url) }

type Transact = TestGateway['gateway']['engine']['transaction']
const work = <Result>(todo: (...given: Parameters<Parameters<Transact>[1]>) => Promise<Result>): Promise<Result> =>
  test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), todo)

beforeAll(async () => {
  test = await startGateway()
  await test.addStaff({ id: 'wang', jobNumber: 'S0101', name: 'Wang' })
  await test.addStaff({ id: 'liu', jobNumber: 'S0102', name: 'Liu' })
  await test.addStaff({
    id: 'chen',
    jobNumber: 'S0103',
    name: 'Chen',
    scopes: { 'crm.customer': ['all'], 'srm.supplier': ['all'] },
  })
  await test.addStaff({
    id: 'zhou',
    jobNumber: 'S0104',
    name: 'Zhou',
    scopes: { 'crm.customer': ['own'], 'srm.supplier': ['own'] },
  })
  await test.addStaff({ id: 'gao', jobNumber: 'S0105', name: 'Gao', keys: ['fin:ledger:view'] })
  finance = await test.signIn('S0105')
  ;[applicant, copied, owner, stranger] = (await Promise.all(
    ['S0101', 'S0102', 'S0103', 'S0104'].map((number) => test.signIn(number)),
  )) as [Caller, Caller, Caller, Caller]
  const at = test.clock.now().toISOString()
  const day = at.slice(0, 10)
  const document = {
    formatVersion: 3,
    name: 'tried',
    label: { zh: '试', en: 'Tried' },
    group: 'money',
    prefix: 'SY',
    form: {
      fields: {
        reason: { type: 'string', maxLength: 50, 'x-label': { zh: '原因', en: 'Reason' } },
        margin: { type: 'string', maxLength: 50, 'x-label': { zh: '毛利', en: 'Margin' }, 'x-sensitive': 'qm:cost:view' },
      },
    },
    nodes: [
      { id: 'start', kind: 'start', label: { zh: '发起', en: 'Start' } },
      { id: 'end', kind: 'end', label: { zh: '结束', en: 'End' } },
    ],
  }
  await work(async (entities) => {
    const [processId, versionId, customerId, supplierId, accountId, entityId] = Array.from({ length: 6 }, newId) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    await entities.insertMany('wf.process', [
      {
        id: processId,
        code: 'tried',
        nameZh: '试',
        nameEn: 'Tried',
        groupCode: 'money',
        state: 'enabled',
        currentVersionId: versionId,
      },
    ])
    await entities.insertMany('wf.processVersion', [
      {
        id: versionId,
        processId,
        no: 1,
        document: JSON.stringify(document),
        hash: newId(),
        formHash: 'h',
        source: 'admin',
        publishedAt: at,
      },
    ])
    await entities.insertMany('crm.customer', [
      { id: customerId, code: 'CU1', name: 'Acme', holding: 'private', ownerId: 'chen' },
    ])
    await entities.insertMany('srm.supplier', [
      { id: supplierId, code: 'SP1', name: 'Hai Xin', alias: 'V1', holding: 'private', ownerId: 'chen' },
    ])
    await entities.insertMany('fin.customerAccount', [
      { id: accountId, code: 'A1', name: 'Acme SMS', customerId, product: 'sms', payMode: 'prepaid', currency: 'USD' },
    ])
    const own: Record<string, EntityRecord> = {
      'fin.creditGrant': { accountId, customerId, amount: '500', currency: 'USD', startsAt: at },
      'fin.creditRecord': { at, accountId, customerId },
      'fin.accountChange': { accountId, customerId, effectiveFrom: day },
      'qm.specialPrice': {
        customerId,
        product: 'sms',
        reason: 'Competition in the region',
        validFrom: day,
        validTo: day,
        status: 'inApproval',
      },
      'qm.supplierQuoteApply': { supplierId, product: 'sms', currency: 'USD', effectiveFrom: at, status: 'inApproval' },
    }
    for (const kind of BUSINESS_DOCUMENTS) {
      const [documentId, instanceId] = [newId(), newId()]
      await entities.insertMany('wf.instance', [
        {
          id: instanceId,
          code: instanceId.slice(0, 20),
          processId,
          versionId,
          serviceName: kind.service,
          applicantId: 'wang',
          status: 'running',
          formData: { reason: 'Because', margin: '3.2' },
        },
      ])
      await entities.insertMany('wf.cc', [{ id: newId(), instanceId, staffId: 'liu', at }])
      await entities.insertMany('wf.actionLog', [{ id: newId(), instanceId, at, byId: 'wang', action: 'start' }])
      const fixed = kind.fixed ? { [kind.fixed.field]: kind.fixed.value } : {}
      const further = ['fin.recharge', 'fin.payment', 'fin.hedge'].includes(kind.entity)
        ? { customerId, companyEntityId: entityId, code: documentId }
        : own[kind.entity]
      await entities.insertMany(kind.entity, [{ id: documentId, instanceId, ...further, ...fixed }])
      made.push({ kind, documentId, instanceId })
    }
  })
})
afterAll(() => test.close())

const addresses = ({ kind, documentId, instanceId }: Made): [string, string] => [
  kind.byId.replace(':id', documentId),
  kind.byInstance.replace(':processId', instanceId),
]

describe('the detail views of business documents', () => {
  it('are the twenty of the specification, by the ids that it names', () => {
    const { calls } = JSON.parse(readFileSync(CALLS.url, 'utf8')) as { calls: string[] }
    const named = BUSINESS_DOCUMENTS.flatMap(({ byId, byInstance }) => [byId, byInstance]).map(
      (path) => `GET ${path.replace(/:(\w+)/, '{$1}')}`,
    )
    expect(named.sort()).toEqual(calls.filter((call) => /^GET \/v2\/(fc|qm)\//.test(call)).sort())
    expect(named).toHaveLength(20)
  })

  it('answer the document with its application, by either id, to whoever applied, has a copy, or may see the document', async () => {
    for (const one of made)
      for (const address of addresses(one))
        for (const caller of [applicant, copied, ...(OF_FINANCE.includes(one.kind.entity) ? [finance] : [owner])]) {
          const answer = await caller.get<Detail>(address)
          expect([address, answer.code, answer.msg]).toEqual([address, 0, 'OK'])
          expect(answer.data).toMatchObject({
            service: one.kind.service,
            entity: one.kind.entity,
            document: { id: one.documentId },
            instance: { id: one.instanceId, serviceName: one.kind.service, applicantId: 'wang' },
            timeline: [{ action: 'start', byName: 'Wang' }],
          })
          expect(answer.data.values).toEqual({ reason: 'Because' })
          expect(answer.data.instance).not.toHaveProperty('formData')
        }
  })

  it('are not there for others (10010004), nor under the address of another service, nor without a token', async () => {
    for (const one of made)
      for (const address of addresses(one)) expect([address, (await stranger.get(address)).code]).toEqual([address, 10010004])
    const [recharge, payment] = [made[0]!, made[2]!]
    expect((await applicant.get(recharge.kind.byInstance.replace(':processId', payment.instanceId))).code).toBe(10010004)
    expect((await applicant.get(recharge.kind.byId.replace(':id', payment.documentId))).code).toBe(10010004)
    const [prepaid, postpaid] = [made[3]!, made[4]!]
    expect((await applicant.get(prepaid.kind.byId.replace(':id', postpaid.documentId))).code).toBe(10010004)
    expect((await test.anybody.get(addresses(recharge)[0])).status).toBe(401)
  })

  it('of an application that made no document yet answer the form alone', async () => {
    const { instanceId, documentId, kind } = made[8]!
    await work((entities) => entities.changeMany(kind.entity, new Map([[documentId, { instanceId: null }]])))
    expect((await applicant.get<Detail>(kind.byInstance.replace(':processId', instanceId))).data).toMatchObject({
      document: null,
      values: { reason: 'Because' },
    })
    expect((await stranger.get(kind.byInstance.replace(':processId', instanceId))).code).toBe(10010004)
  })
})
