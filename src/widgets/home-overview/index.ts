import { defineWidget } from '../../runtime/widget'

/** The overview page: greeting, cards, counts of the day, quick entries. */
export const homeOverview = defineWidget({
  name: 'home.overview',
  description: { zh: '首页：问候、卡片、今日数字、快捷入口', en: 'Home: greeting, cards, figures of the day, quick entries' },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./HomeOverview'),
  example: { props: {} },
})
