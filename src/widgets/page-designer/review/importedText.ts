import type { Host } from '../../../runtime/host'
import { momentText } from '../../../runtime/reading/moment'
import { designerTexts } from '../texts'
import type { Origin } from '../types'

/** What imported changes were called where they come from, who made them and when. */
export const importedText = (host: Pick<Host, 'locale' | 'timeZone'>, { title, by, at }: Origin): string =>
  designerTexts[host.locale].importedAs(title, by[host.locale], momentText(host, at))
