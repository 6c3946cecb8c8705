import { defineWidget } from '../../runtime/widget'

/** The position of a visit: as a cell it shows one, as a control of a form it asks the browser for it. The place gives `value`, a form `onChange`. */
export const position = defineWidget({
  name: 'crm.position',
  description: {
    zh: '浏览器位置：经纬度、精度与时间；在表单中由本人点击后获取',
    en: 'A position of the browser with accuracy and time; in a form it is asked for when the person clicks',
  },
  props: { type: 'object', properties: {}, additionalProperties: false },
  load: () => import('./Position'),
  example: {
    props: {},
    values: { value: { latitude: 31.2304, longitude: 121.4737, accuracy: 12, at: '2026-11-20T04:00:00.000Z' } },
  },
})
