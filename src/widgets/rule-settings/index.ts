import { defineWidget } from '../../runtime/widget'

/** Rules as versioned forms with their effect previewed, exceptions, rule tests and the jobs that carry them out. */
export const ruleSettings = defineWidget({
  name: 'crm.ruleSettings',
  description: {
    zh: '规则设置：版本、预览效果、例外、试算、定时任务',
    en: 'Rule settings: versions, preview of the effect, exceptions, rule tests, scheduled jobs',
  },
  props: {
    type: 'object',
    properties: {
      rules: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Keys of the rules, one tab each.' },
      jobs: { type: 'boolean', description: 'Shows the scheduled jobs as the last tab.' },
      job: { type: 'string', description: 'Only this job.' },
      pages: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            title: {
              type: 'object',
              properties: { zh: { type: 'string' }, en: { type: 'string' } },
              required: ['zh', 'en'],
              additionalProperties: false,
            },
            page: { type: 'string', description: 'Name of a list page without a route.' },
            permission: { type: 'string', description: 'The tab is there only for whoever holds this key.' },
          },
          required: ['title', 'page'],
          additionalProperties: false,
        },
        description: 'Lists that are set up beside the rules, a tab each.',
      },
    },
    required: ['rules'],
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).ruleSettings(),
  example: { props: { rules: ['crm.sea'] } },
})
