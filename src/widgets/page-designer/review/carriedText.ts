import type { Host } from '../../../runtime/host'
import { momentText } from '../../../runtime/reading/moment'
import { designerTexts } from '../texts'
import type { Origin } from '../types'

/** What carried changes were called where they come from, who made them and when. */
export const carriedText = (host: Pick<Host, 'locale' | 'timeZone'>, { title, by, at }: Origin): string =>
  designerTexts[host.locale].carriedAs(title, by[host.locale], momentText(host, at))
