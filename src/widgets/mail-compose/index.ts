import { defineWidget } from '../../runtime/widget'

const noProps = { type: 'object', properties: {}, additionalProperties: false } as const

/** Writes mail: a new one, an answer, what is passed on, a draft. The place gives `query`. */
export const compose = defineWidget({
  name: 'mail.compose',
  description: {
    zh: '写邮件：新建、回复、转发、草稿；query 给出 kind、messageId、draftId 或 to、subject、customerId',
    en: 'Writes mail: new, answer, forward, draft; query names kind and messageId, draftId, or to, subject and customerId',
  },
  props: {
    type: 'object',
    properties: {
      home: { type: 'string', description: 'Where one goes when it is sent; default the inbox.' },
      isDocked: { type: 'boolean', description: 'It stands beside the pages and can be made one.' },
    },
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).compose(),
  example: { props: {}, values: { query: { to: 'Li <li@example.com>', subject: 'Rates' } } },
})

/** /message/email/none: binds a mailbox in three steps. */
export const bind = defineWidget({
  name: 'mail.bind',
  description: {
    zh: '三步绑定邮箱：地址、收发方式、完成',
    en: 'Binds a mailbox in three steps: its address, how it is reached, done',
  },
  props: noProps,
  load: async () => (await import('./screens')).bind(),
  example: { props: {} },
})

/** What one is told of new mail. */
export const notices = defineWidget({
  name: 'mail.notices',
  description: {
    zh: '新邮件提醒：门户按邮箱，群聊按时段',
    en: 'What one is told of new mail: in the portal by mailbox, in the chat with its hours',
  },
  props: noProps,
  load: async () => (await import('./screens')).notices(),
  example: { props: {} },
})

/** Above the follow rules: which of them would take a mail. */
export const tryRules = defineWidget({
  name: 'mail.tryRules',
  description: { zh: '跟进规则试算：这封邮件归谁', en: 'Which follow rule would take a mail, and who would follow it up' },
  props: noProps,
  load: async () => (await import('./screens')).tryRules(),
  example: { props: {} },
})

/** /message/email/um: how mail is used. */
export const manual = defineWidget({
  name: 'mail.manual',
  description: { zh: '邮箱使用手册', en: 'The manual of mail' },
  props: noProps,
  load: async () => (await import('./screens')).manual(),
  example: { props: {} },
})
