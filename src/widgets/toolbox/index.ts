import { defineWidget } from '../../runtime/widget'

const text = {
  type: 'object',
  properties: { zh: { type: 'string' }, en: { type: 'string' } },
  required: ['zh', 'en'],
  additionalProperties: false,
} as const

/** A tool of /toolbox that asks the gateway about what was typed or pasted. */
export const ask = defineWidget({
  name: 'toolbox.ask',
  description: {
    zh: '查询工具：粘贴文本或选择币种，网关答复一张表',
    en: 'A look-up tool: what is pasted, or a pair of currencies, is answered by the gateway with a table',
  },
  props: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        description: 'Call that takes `{ text, country }` (with `rates` `{ from, to, date, amount }`) and answers a table.',
      },
      title: { ...text, description: 'With it the tool is folded below this title, e.g. above a list.' },
      label: { ...text, description: 'What is pasted.' },
      hint: text,
      sample: { type: 'string', description: 'Shown in the empty field.' },
      country: { ...text, description: 'With it a country is asked for, under this label.' },
      rates: { type: 'boolean', description: 'Asks for two currencies, a day and an amount instead of a text.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  load: async () => (await import('./screens')).ask(),
  example: { props: { path: '/v2/toolbox/networks', label: { zh: 'MCC/MNC', en: 'MCC/MNC' }, sample: '46000' } },
})

/** /toolbox/sms-length: how a text goes over the air, worked out while it is typed. */
export const sms = defineWidget({
  name: 'toolbox.sms',
  description: {
    zh: '短信长度：编码、长度、分段位置，以及使短信变为 UCS-2 的字符',
    en: 'Length of a message: character set, length, where it parts, and the characters that force UCS-2',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: async () => (await import('./screens')).sms(),
  example: { props: {} },
})
