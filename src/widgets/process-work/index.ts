import { defineWidget } from '../../runtime/widget'

/** Where approvals begin: /general/process/sponsor. */
export const processStart = defineWidget({
  name: 'process.start',
  description: {
    zh: '发起审批：可发起的流程、最近使用、草稿、待办数字、委托',
    en: 'Start approvals: what may be started, what was used lately, drafts, counts, delegation',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).start(),
  example: { props: {} },
})

/** The application form of a process. The place gives `query`: values of fields, copyFrom, instanceId, code or processId. */
export const processApply = defineWidget({
  name: 'process.apply',
  description: {
    zh: '申请表：填写、预计路径、检查、草稿、提交；query 可带字段值、copyFrom、instanceId',
    en: 'The form of an application with expected path, checks and drafts; query names values, copyFrom or instanceId',
  },
  props: {
    type: 'object',
    properties: {
      code: {
        type: 'string',
        description: 'Code of the process; default code or processId of the address, else prepaid credit.',
      },
    },
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).apply(),
  example: { props: { code: 'prepay' }, values: { query: {} } },
})

/** An application: form, path, history, decisions. The place gives `query`: taskId or instanceId. */
export const processTask = defineWidget({
  name: 'process.task',
  description: {
    zh: '审批单：表单、审批路径、记录、业务信息与可做的操作；query 给出 taskId 或 instanceId',
    en: 'An application: form, path, history, business record and what can be done; query names taskId or instanceId',
  },
  props: {
    type: 'object',
    properties: {
      list: {
        type: 'string',
        enum: ['todo', 'initiated', 'handled', 'copies'],
        description: 'The list that it was opened from, for the next and the previous one; default todo.',
      },
    },
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).task(),
  example: { props: { list: 'todo' }, values: { query: { taskId: 't1' } } },
})
