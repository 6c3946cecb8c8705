import { defineWidget } from '../../runtime/widget'

/** Mail as it is read: folders, list and message, one message alone, what was written with a party, or the mail of a record. */
export const mailClient = defineWidget({
  name: 'mail.client',
  description: {
    zh: '邮件：邮箱与文件夹、列表、阅读，单封邮件，以及与客户或供应商的往来',
    en: 'Mail: mailboxes and folders, list and message; one message alone; what was written with a customer or supplier',
  },
  props: {
    type: 'object',
    properties: {
      show: {
        enum: ['folder', 'message', 'dealings', 'record'],
        description:
          'Folders with their mail (default); the message that query.messageId names; mail with a party; mail of the record of a tab: values.customerId or values.supplierId, values.word narrows it.',
      },
      folder: { enum: ['inbox', 'star', 'spam', 'sent', 'drafts'], description: 'Which folder; default the inbox.' },
      view: { enum: ['message', 'crm'], description: 'As CRM shows it: the customer first, all folders at one address.' },
    },
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).mailClient(),
  example: { props: { folder: 'inbox' }, values: { query: { id: 'm1' } } },
})
