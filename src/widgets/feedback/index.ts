import { defineWidget } from '../../runtime/widget'

/** What of the browser goes along with feedback: shown before it is sent. */
export const browserFacts = defineWidget({
  name: 'csc.browserFacts',
  description: { zh: '随反馈发送的浏览器信息', en: 'A field with what of the browser goes along with feedback' },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./BrowserFacts'),
  text: (value) => (typeof value === 'string' ? value : ''),
  example: { props: {} },
})
