import type { DetailModel } from './detail'
import type { FormModel } from './form'
import type { ListModel } from './list'
import type { PageHead } from './page'
import type { ReportModel } from './report'

export type * from './action'
export type * from './aggregate'
export type * from './detail'
export type * from './field'
export type * from './form'
export type * from './list'
export type * from './report'
export type * from './savedView'
export type * from './search'

/**
 * What compile() makes of a page document: everything resolved (texts in the locale, expressions as functions,
 * permissions applied), frozen, the same in browser and gateway. Components read it and nothing else.
 */
export type PageModel = ListModel | DetailModel | FormModel | ReportModel | WidgetModel | EmbedModel

export interface WidgetModel extends PageHead {
  kind: 'widget'
  widget: string
  props: Readonly<Record<string, unknown>>
  layout: 'page' | 'blank'
}
export interface EmbedModel extends PageHead {
  kind: 'embed'
  iframeName: string
}
