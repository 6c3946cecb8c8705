import { defineWidget } from '../../runtime/widget'

/** Parts of one page side by side, a tab each: settings, an address book, what somebody wrote and what he rated. */
export const pageTabs = defineWidget({
  name: 'page.tabs',
  description: {
    zh: '并列的标签：每个标签是一个列表页或一个组件',
    en: 'Tabs side by side, each of them a list page without a route, or a widget',
  },
  props: {
    type: 'object',
    properties: {
      tabs: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            title: {
              type: 'object',
              properties: { zh: { type: 'string' }, en: { type: 'string' } },
              required: ['zh', 'en'],
              additionalProperties: false,
            },
            permission: { type: 'string', description: 'The tab is there only for whoever holds this key.' },
            page: { type: 'string', description: 'Name of a list page without a route.' },
            widget: { type: 'string', description: 'A registered widget without properties, where there is no page.' },
          },
          required: ['id', 'title'],
          additionalProperties: false,
        },
        minItems: 1,
      },
    },
    required: ['tabs'],
    additionalProperties: false,
  },
  load: () => import('./PageTabs'),
  example: { props: { tabs: [{ id: 'notices', title: { zh: '新邮件提醒', en: 'Notices' }, widget: 'mail.notices' }] } },
})
