import { defineWidget } from '../../runtime/widget'

/** The overview page: greeting, counts of the day, quick entries. */
export const homeOverview = defineWidget({
  name: 'home.overview',
  description: { zh: '首页：问候、今日数字、快捷入口', en: 'Home: greeting, figures of the day, quick entries' },
  props: {
    type: 'object',
    properties: {
      reports: {
        type: 'array',
        items: { type: 'string' },
        description: 'Reports whose blocks stand here as cards, by their names.',
      },
    },
    additionalProperties: false,
  },
  load: () => import('./HomeOverview'),
  example: { props: {} },
})
