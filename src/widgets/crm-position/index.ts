import { defineWidget } from '../../runtime/widget'

/** The position of a visit: as a cell it shows one, as a control of a form it asks the browser for it. The place gives `value`, a form `onChange`. */
export const position = defineWidget({
  name: 'crm.position',
  description: {
    zh: '位置；在表单中点击后由浏览器获取',
    en: 'A position; in a form the browser is asked for it by a click',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./Position'),
  example: {
    props: {},
    values: { value: { latitude: 31.2304, longitude: 121.4737, accuracy: 12, at: '2026-11-20T04:00:00.000Z' } },
  },
})
