import { defineWidget } from '../../runtime/widget'

/** /setModule/pages: everything that an admin can change, the designer, its preview, releases and their history. */
export const pageDesigner = defineWidget({
  name: 'sys.pageDesigner',
  description: {
    zh: '页面设计：选择页面、实体或字典，修改并预览，保存草稿，检查、发布与回退',
    en: 'Page designer: change pages, entities and dictionaries with a preview; drafts, checks, releases and roll back',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./PageDesigner'),
  example: { props: {} },
})
