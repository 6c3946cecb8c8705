import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeBundle, readReleasedSchemas, type SchemaRegistry } from '../../../gateway/pages'
import { createSchemaRegistry } from '../../../gateway/pages/registry'
import { compilePage } from '../../../src/schema'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import {
  formEntity,
  formPage,
  isForPeople,
  namedFields,
  rightsOf,
  rowEntities,
  walkNodes,
  type Rights,
} from '../../../src/schema/process'
import { exposureOf, type Exposure } from '../../../src/schema/proof'
import { shipped } from './world'

const SCHEMAS = join(import.meta.dirname, '../../../schemas')
/** The forms of money 8.0, those of internal finance (8.14), and those of the guide to customers and suppliers. */
const OF_MONEY =
  'prepay postpay deferral payMethod billChange recharge payment hedge bodyReplace special supplierQuote classA workOrder generic'.split(
    ' ',
  )
const OF_FINANCE = 'manualRecharge billRefund adjustment writeOff contractReview'.split(' ')
const OF_PARTIES =
  'crmBlacklist crmAlias crmTransferLarge srmAccountTransfer srmSupplierTransfer srmApplication srmPlan srmOrder srmSale srmRewrite'.split(
    ' ',
  )

let schemas: SchemaRegistry
let processes: ProcessDocument[]

beforeAll(async () => {
  const accepted = await readReleasedSchemas(SCHEMAS)
  schemas = createSchemaRegistry(accepted)
  processes = accepted.filter(({ type }) => type === 'process').map(({ value }) => value as ProcessDocument)
}, 60_000)

/** What the form shows and sends with these rights, as the portal compiles it. */
function exposed(process: ProcessDocument, rights: Rights): Exposure {
  const made = new Map([formEntity(process), ...rowEntities(process)].map((entity) => [entity.name, entity]))
  const bundle = makeBundle(formPage(process, rights), `processes/${process.name}`, {
    lists: schemas.lists,
    entity: (name) => made.get(name) ?? schemas.entity(name),
    dictionary: (name) => schemas.dictionary(name),
  })
  const result = compilePage(bundle, { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  expect(result.model.problems).toEqual([])
  return exposureOf(result.model)
}

describe('The shipped processes', () => {
  it('are the 29 of the guides, with prefixes and places of their own', () => {
    expect(processes.map(({ name }) => name).sort()).toEqual([...OF_MONEY, ...OF_FINANCE, ...OF_PARTIES].sort())
    expect(new Set(processes.map(({ prefix }) => prefix)).size).toBe(29)
    expect(new Set(processes.map(({ group, sort }) => `${group} ${sort}`)).size).toBe(29)
  })

  it('compile for the start, every step of people and an onlooker, and show no field that is hidden there', () => {
    for (const process of processes) {
      const nodes = [...walkNodes(process)].filter((node) => node.kind === 'start' || isForPeople(node))
      for (const id of [...nodes.map((node) => node.id), null]) {
        const rights = rightsOf(process, id)
        const exposure = exposed(process, rights)
        // rows are typed where one of their cells is
        const typed = (name: string): boolean =>
          Object.entries(rights).some(
            ([key, right]) => (key === name || key.startsWith(`${name}.`)) && (right === 'E' || right === 'M'),
          )
        for (const [name] of namedFields(process)) {
          if (name.includes('.')) continue
          const seen = exposure.get(`form.${process.name}.${name}`)
          const where = `${process.name} ${id} ${name}`
          if (rights[name] === 'H') expect(seen?.shown ?? false, where).toBe(false)
          else expect(seen?.shown, where).toBe(true)
          expect(seen?.editable ?? false, where).toBe(typed(name))
        }
      }
    }
  }, 60_000)

  it('say what they are called, and every field and step, in both languages', () => {
    for (const process of processes) {
      const texts = [
        process.label,
        process.description,
        process.title,
        ...namedFields(process).map(([, field]) => field['x-label']),
        ...[...walkNodes(process)].flatMap(({ label, branches = [] }) => [label, ...branches.map((branch) => branch.label)]),
      ]
      for (const text of texts) {
        expect(text?.zh, `${process.name} ${JSON.stringify(text)}`).toBeTruthy()
        expect(text?.en, `${process.name} ${JSON.stringify(text)}`).toBeTruthy()
      }
    }
  })

  it('have a time limit on every step of people, and let nobody approve his own credit or money', () => {
    for (const process of processes)
      for (const node of walkNodes(process)) {
        if (!isForPeople(node)) continue
        expect(node.limitHours, `${process.name} ${node.id}`).toBeDefined()
        if (process.group === 'credit' || process.group === 'money') expect(node.sameAsStarter).not.toBe('keep')
      }
  })

  it('tell in title, amount and summary, which everybody reads who sees the application, nothing that needs a key', () => {
    for (const process of processes) {
      const closed = namedFields(process).filter(([, field]) => field['x-sensitive'] !== undefined)
      const told = [process.title?.zh, process.title?.en, process.amount, ...(process.summary ?? [])].join(' ')
      for (const [name] of closed) {
        const word = name.includes('.') ? new RegExp(`\\.${name.split('.').at(-1)}\\b`) : new RegExp(`(?<![.\\w])${name}\\b`)
        expect(told, `${process.name} ${name}`).not.toMatch(word)
      }
    }
  })

  it('write amounts in titles as people read them', () => {
    for (const process of processes)
      for (const text of [process.title?.zh, process.title?.en])
        expect(text, process.name).not.toMatch(/urrency \}\} \{\{ \w+ \}\}/)
  })

  it('send every effect with the id of the instance that it is done once for', () => {
    for (const process of processes)
      for (const effect of Object.values(process.effects ?? {}).flat())
        if (/^(fin|qm)\./.test(effect.do) && effect.do !== 'fin.recompute')
          expect(effect.with, `${process.name} ${effect.id}`).toHaveProperty('instanceId', '{{ instance.id }}')
  })
})

/** The fields of a form that a node leaves to be typed, and those that it hides. */
const at = (process: ProcessDocument, id: string): { typed: string[]; must: string[]; hidden: string[] } => {
  const rights = Object.entries(rightsOf(process, id)).filter(([name]) => !name.includes('.'))
  const of = (right: string): string[] => rights.flatMap(([name, one]) => (one === right ? [name] : []))
  return { typed: of('E'), must: of('M'), hidden: of('H') }
}

describe('Rights by node (money 8.15)', () => {
  it('prepay: approved amount and day are hidden to the leader, typed by credit officer and director; the officer notes the risk', () => {
    const prepay = shipped('fin', 'prepay')
    expect(at(prepay, 'start').hidden).toEqual(['riskNote', 'approvedAmount', 'approvedTo'])
    expect(at(prepay, 'leader')).toEqual({ typed: [], must: [], hidden: ['riskNote', 'approvedAmount', 'approvedTo'] })
    expect(at(prepay, 'credit')).toEqual({ typed: ['approvedAmount', 'approvedTo'], must: ['riskNote'], hidden: [] })
    expect(at(prepay, 'director')).toEqual({ typed: ['approvedAmount', 'approvedTo'], must: [], hidden: [] })
    expect(at(prepay, 'cfo')).toEqual({ typed: ['approvedAmount', 'approvedTo'], must: [], hidden: [] })
  })

  it('postpay: the credit officer gives the risk level and may lower limit and term, the cfo the limit', () => {
    const postpay = shipped('fin', 'postpay')
    expect(at(postpay, 'start').hidden).toEqual(['riskLevel', 'approvedLimit'])
    expect(at(postpay, 'credit')).toEqual({ typed: ['termDays', 'approvedLimit'], must: ['riskLevel'], hidden: [] })
    expect(at(postpay, 'cfo').typed).toEqual(['approvedLimit'])
    expect(at(postpay, 'manager')).toEqual({ typed: [], must: [], hidden: [] })
  })

  it('deferral: credit officer and cfo may bring the day forward and change the plan', () => {
    const deferral = shipped('fin', 'deferral')
    expect(at(deferral, 'credit').typed).toEqual(['approvedTo', 'payPlan'])
    expect(at(deferral, 'cfo').typed).toEqual(['approvedTo', 'payPlan'])
    expect(at(deferral, 'ceo').typed).toEqual([])
  })

  it('payMethod, billChange: limit and term for the credit officer, the clause for legal, the day for finance', () => {
    const payMethod = shipped('fin', 'pay-method')
    expect(at(payMethod, 'credit')).toMatchObject({ typed: ['applyLimit', 'termDays'], must: ['riskLevel'] })
    expect(at(payMethod, 'legal').must).toEqual(['clauseOk'])
    expect(at(payMethod, 'manager').typed).toEqual(['effectiveDate'])
    const billChange = shipped('fin', 'bill-change')
    expect(at(billChange, 'receivables')).toEqual({ typed: ['effectiveFrom'], must: ['transitionOk'], hidden: [] })
  })

  it('recharge: the applicant does not type rates; the accountant confirms bank, fee, rates and lines and fills in the reference', () => {
    const recharge = shipped('fin', 'recharge')
    expect(rightsOf(recharge, 'start')).toMatchObject({ lines: 'E', 'lines.amount': 'E', 'lines.rate': 'H' })
    expect(rightsOf(recharge, 'receivables')).toMatchObject({
      bankRef: 'M',
      lines: 'E',
      'lines.rate': 'E',
      bankFee: 'E',
      payAmount: 'R',
    })
    expect(at(recharge, 'receiptManager')).toEqual({ typed: [], must: [], hidden: [] })
  })

  it('payment: what was paid is hidden until the cashier, who has to fill it in', () => {
    const payment = shipped('fin', 'payment')
    const paid = ['paidAt', 'bankRef', 'slipFile', 'actualFee', 'actualRate']
    for (const id of ['start', 'leader', 'buyDirector', 'payables', 'manager', 'cfo', 'ceo'])
      expect(at(payment, id).hidden).toEqual(expect.arrayContaining(paid))
    expect(at(payment, 'cashier')).toMatchObject({
      typed: ['actualRate'],
      must: ['bankAccountId', 'paidAt', 'bankRef', 'slipFile', 'actualFee'],
    })
    expect(at(payment, 'payables').typed).toEqual(expect.arrayContaining(['billIds', 'invoiceState', 'payeeChecked']))
  })

  it('hedge, bodyReplace: bills for finance, the agreement for legal, the call back for accounts payable, the mapping for the administrator', () => {
    const hedge = shipped('fin', 'hedge')
    expect(at(hedge, 'finance').typed).toEqual(['refBills', 'refSupplierBills'])
    expect(at(hedge, 'legal').must).toEqual(['agreementOk', 'partiesMatch'])
    expect(at(hedge, 'manager').typed).toEqual(['effectiveDate'])
    const bodyReplace = shipped('fin', 'body-replace')
    expect(at(bodyReplace, 'buyLeader').typed).toEqual(['accountIds'])
    expect(at(bodyReplace, 'legal').must).toEqual(['noticeOk'])
    expect(at(bodyReplace, 'payables').must).toEqual(['calledPerson', 'calledAt'])
    expect(at(bodyReplace, 'administrator').must).toEqual(['mappingDone'])
  })

  it('special: the approved price is hidden to the applicant and typed by price manager and director, costs need their key', () => {
    const special = shipped('qm', 'special')
    expect(rightsOf(special, 'start')).toMatchObject({ 'lines.approvedPrice': 'H', approvedValidTo: 'H' })
    expect(rightsOf(special, 'price')).toMatchObject({
      'lines.approvedPrice': 'E',
      'lines.applyPrice': 'R',
      approvedValidTo: 'E',
    })
    expect(rightsOf(special, 'director')).toMatchObject({ 'lines.approvedPrice': 'E' })
    expect(rightsOf(special, 'manager')).toMatchObject({ 'lines.approvedPrice': 'R' })
    const behindKey = namedFields(special).flatMap(([name, field]) => (field['x-sensitive'] === 'qm:cost:view' ? [name] : []))
    expect(behindKey).toEqual(['lines.cost', 'lines.margin', 'minMargin', 'lossAmount', 'lossCny', 'marginFloor'])
  })

  it('supplierQuote, classA, workOrder: lines for purchasing and price, months for the director, the team for service, the result for whoever handles it', () => {
    const quote = shipped('qm', 'supplier-quote')
    expect(rightsOf(quote, 'price')).toMatchObject({ increasePlanned: 'M', 'lines.accepted': 'E', 'lines.newCost': 'R' })
    const classA = shipped('crm', 'class-a')
    expect(at(classA, 'director').typed).toEqual(['approvedMonths'])
    expect(at(classA, 'service').must).toEqual(['servicePlan'])
    const workOrder = shipped('ops', 'work-order')
    expect(at(workOrder, 'noc').must).toEqual(['result', 'cause'])
    expect(at(workOrder, 'noc').typed).toEqual(expect.arrayContaining(['severity', 'compensation']))
    expect(at(workOrder, 'gift').typed).toEqual(['compensation'])
  })

  it('nobody but whoever starts it types what the applicant says of himself', () => {
    for (const [module, file] of [
      ['fin', 'prepay'],
      ['fin', 'payment'],
      ['fin', 'hedge'],
    ] as const) {
      const process = shipped(module, file)
      for (const node of walkNodes(process))
        if (isForPeople(node))
          for (const name of ['urgency', 'remark', 'ccIds', 'reason']) expect(rightsOf(process, node.id)[name]).toBe('R')
    }
  })
})
