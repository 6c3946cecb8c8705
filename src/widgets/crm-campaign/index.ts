import { defineWidget } from '../../runtime/widget'

/** Below the form of a campaign: whom it reaches and who is passed over, how it reads in both languages, a test of it to oneself. */
export const campaignCheck = defineWidget({
  name: 'crm.campaignCheck',
  description: {
    zh: '营销邮件发送前检查：实时人数和跳过原因、双语预览、给我发测试邮件',
    en: 'Before a campaign goes: the live count with reasons of skipping, a preview in both languages, a test mail to oneself',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).campaignCheck(),
  example: { props: {} },
})

/** The letter of a campaign begun with a mail template. */
export const campaignTemplate = defineWidget({
  name: 'crm.campaignTemplate',
  description: { zh: '用邮件模板填写营销邮件的主题和正文', en: 'Fills in subject and body of a campaign from a mail template' },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).campaignTemplate(),
  example: { props: {} },
})

/** A file of addresses beside the field that they are pasted into. */
export const addressFile = defineWidget({
  name: 'crm.addressFile',
  description: { zh: '粘贴地址，或从文件导入', en: 'Addresses that are pasted or come from a file' },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).addressFile(),
  example: { props: {}, values: { value: 'Anna <anna@client.example>' } },
})
