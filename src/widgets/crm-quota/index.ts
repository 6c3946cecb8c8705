import { defineWidget } from '../../runtime/widget'

const ofEntity = {
  type: 'object',
  properties: { path: { type: 'string', description: 'Base path of the calls of an entity with owners; default customers.' } },
  additionalProperties: false,
} as const

/** Header of the open sea: how many claims are left today and this week, and the holding cap. */
export const claimQuota = defineWidget({
  name: 'crm.claimQuota',
  description: { zh: '今日与本周剩余领取次数、保有上限', en: 'Claims left today and this week, and the holding cap' },
  props: ofEntity,
  load: () => import('./ClaimQuota'),
  example: { props: {} },
})

/** Header of one's own records: how many of the holding cap are used. */
export const holdingCap = defineWidget({
  name: 'crm.holdingCap',
  description: { zh: '保有量与上限', en: 'Records held, and the cap' },
  props: ofEntity,
  load: () => import('./HoldingCap'),
  example: { props: {} },
})
