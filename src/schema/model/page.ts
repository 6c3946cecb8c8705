import type { Locale, Problem } from '../problem'
import type { Source } from './action'

/** What the models of all pages have. */
export interface PageHead {
  /** The route, or module/file for a page without one. */
  id: string
  path?: string
  title: string
  description?: string
  locale: Locale
  revision: string
  source: Source
  /** What was left out because it is wrong; the rest works. Each stands at the place of its block. */
  problems: readonly Problem[]
}
