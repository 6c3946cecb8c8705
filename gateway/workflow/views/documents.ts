/** A business document that an approval makes, and the two calls that show it (calls.tsv 142 to 161). */
export interface BusinessDocument {
  /** Code of the dictionary serviceName: of which applications it is. */
  service: string
  entity: string
  /** What tells it from others of its entity. */
  fixed?: { field: string; value: string }
  /** Entities of which further rows belong to the application, by their `instanceId`. */
  further?: readonly string[]
  /** Address of the call by the document's id, and of the one by the id of the application. */
  byId: string
  byInstance: string
}

const finance = (path: string): Pick<BusinessDocument, 'byId' | 'byInstance'> => ({
  byId: `/v2/fc/${path}/view/:id`,
  byInstance: `/v2/fc/${path}/view/processInstance/:processId`,
})
const quotation = (path: string): Pick<BusinessDocument, 'byId' | 'byInstance'> => ({
  byId: `/v2/qm/${path}/details/:id`,
  byInstance: `/v2/qm/${path}/reviewprocess/:processId`,
})

export const BUSINESS_DOCUMENTS: readonly BusinessDocument[] = [
  { service: 'fc.recharge.toAccount', entity: 'fin.recharge', ...finance('financeRecharge/toAccount') },
  { service: 'fc.recharge.tripartite', entity: 'fin.hedge', ...finance('financeRecharge/tripartite') },
  { service: 'fc.pay', entity: 'fin.payment', ...finance('financepay') },
  {
    service: 'cre.prepaidCredit',
    entity: 'fin.creditGrant',
    fixed: { field: 'kind', value: 'temporary' },
    further: ['fin.creditRecord'],
    ...finance('cre/prepaidcredit'),
  },
  {
    service: 'cre.postpayCredit',
    entity: 'fin.creditGrant',
    fixed: { field: 'kind', value: 'permanent' },
    further: ['fin.creditRecord'],
    ...finance('cre/postpayCredit'),
  },
  {
    service: 'cre.returnMoneyDelay',
    entity: 'fin.creditRecord',
    fixed: { field: 'action', value: 'defer' },
    further: ['fin.collectionPlan'],
    ...finance('cre/returnMoneyDelay'),
  },
  {
    service: 'cre.payChange',
    entity: 'fin.accountChange',
    fixed: { field: 'kind', value: 'modeChange' },
    ...finance('cre/payChange'),
  },
  {
    service: 'cre.cycleUpdate',
    entity: 'fin.accountChange',
    fixed: { field: 'kind', value: 'cycleChange' },
    ...finance('cre/cycleUpdate'),
  },
  { service: 'qm.specialReview', entity: 'qm.specialPrice', ...quotation('specialReview') },
  { service: 'qm.supplier', entity: 'qm.supplierQuoteApply', ...quotation('supplier') },
]
