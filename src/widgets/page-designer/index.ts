import { defineWidget } from '../../runtime/widget'

/** /setModule/pages: everything that an admin can change, the designer, its preview, releases and their history. */
export const pageDesigner = defineWidget({
  name: 'sys.pageDesigner',
  description: {
    zh: '页面设计：选择页面、实体或字典，修改并预览，保存草稿，检查、发布与回退',
    en: 'Page designer: change pages, entities and dictionaries with a preview; drafts, checks, releases and roll back',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).pageDesigner(),
  example: { props: {} },
})

/** /setModule/process/configer/design: an approval process being drawn; the query names it, without one a new process begins. */
export const processDesigner = defineWidget({
  name: 'wf.processDesigner',
  description: {
    zh: '审批流程设计：画布、节点设置、字段权限、生效、试运行、版本与发布',
    en: 'Designer of approval processes: canvas, steps, field rights, effects, dry run, versions and publishing',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).processDesigner(),
  example: { props: {} },
})

/** /setModule/process/formword/design: an approval form being made; the query names it, without one a new form begins. */
export const approvalForm = defineWidget({
  name: 'wf.formDesigner',
  description: {
    zh: '审批表单设计：字段、联动、明细、预览、Excel 导入与版本',
    en: 'Designer of approval forms: fields, linkages, rows, preview, Excel import and versions',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).formDesigner(),
  example: { props: {} },
})

/** /setModule/process/roles/members: who belongs to an approval role, for what, and what waits on it. */
export const approvalRole = defineWidget({
  name: 'wf.approvalRole',
  description: {
    zh: '审批角色：成员及其范围、使用它的流程、正在等待它的申请',
    en: 'An approval role: members with their scope, processes that ask it, applications that wait on it',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).roleEditor(),
  example: { props: {} },
})

/** /setModule/process/notify/notice: where a chat notice goes, what it says, a test of it, and its last deliveries. */
export const chatNotice = defineWidget({
  name: 'wf.chatNotice',
  description: {
    zh: '群聊通知：发往哪里、哪些事件、内容模板、测试、投递记录',
    en: 'A chat notice: where it goes, events, texts, a test and its deliveries',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).noticeEditor(),
  example: { props: {} },
})
