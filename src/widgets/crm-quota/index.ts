import { defineWidget } from '../../runtime/widget'

const noProps = { type: 'object', properties: {}, additionalProperties: false } as const

/** Header of the open sea: how many claims are left today and this week, and the holding cap. */
export const claimQuota = defineWidget({
  name: 'crm.claimQuota',
  description: { zh: '今日与本周剩余领取次数、保有上限', en: 'Claims left today and this week, and the holding cap' },
  props: noProps,
  load: () => import('./ClaimQuota'),
  example: { props: {} },
})

/** Header of my customers: how many of the holding cap are used. */
export const holdingCap = defineWidget({
  name: 'crm.holdingCap',
  description: { zh: '客户保有量与上限', en: 'Customers held and the cap' },
  props: noProps,
  load: () => import('./HoldingCap'),
  example: { props: {} },
})
