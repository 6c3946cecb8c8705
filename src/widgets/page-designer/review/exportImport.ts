import type { Host } from '../../../headless/host'
import { companyToday } from '../../../headless/scope'
import { isObject } from '../../../schema/overlay'
import { tellFailure } from '../../../runtime/reading/tell'
import { designerTexts } from '../texts'
import { momentText } from '../../../runtime/reading/moment'
import type { Origin } from '../types'

const SCHEMA = '/v2/sys/schema'

/** Saves a change set as a file: that of a release, or all drafts. */
export const exportChanges = async (host: Host, releaseId?: string): Promise<void> => {
  try {
    const set = await host.request<unknown>({ method: 'GET', path: `${SCHEMA}/export`, query: { releaseId } })
    const url = URL.createObjectURL(new Blob([JSON.stringify(set, null, 2)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `switchboard-changes-${companyToday(host)}.json`
    link.click()
    URL.revokeObjectURL(url)
  } catch (error) {
    tellFailure(host, error, 'page designer')
  }
}

/** Makes drafts of a change set that came as a file. @returns whether it did */
export const importChanges = async (host: Host, file: Blob): Promise<boolean> => {
  const texts = designerTexts[host.locale]
  let set: unknown
  try {
    set = JSON.parse(await file.text())
  } catch {
    set = undefined
  }
  if (!isObject(set) || set.format !== 'switchboard-changes') {
    host.notify('error', texts.importBad)
    return false
  }
  try {
    const { drafts } = await host.request<{ drafts: readonly unknown[] }>({
      method: 'POST',
      path: `${SCHEMA}/import`,
      body: { file: set },
    })
    host.notify('success', texts.imported(drafts.length))
    return true
  } catch (error) {
    tellFailure(host, error, 'page designer')
    return false
  }
}

/** What imported changes were called where they come from, who made them and when. */
export const importedText = (host: Pick<Host, 'locale' | 'timeZone'>, { title, by, at }: Origin): string =>
  designerTexts[host.locale].importedAs(title, by[host.locale], momentText(host, at))
