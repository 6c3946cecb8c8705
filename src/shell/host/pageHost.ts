import type { TFunction } from 'i18next'
import { RequestError, type Host, type HostUser } from '../../headless/host'
import { loadPart } from '../../runtime/part/loadPart'
import type { Locale } from '../../schema/problem'
import { embedAt, mayOpen } from '../guard/authorization'
import { filePart } from '../http/filePart'
import type { Portal } from '../portal/portal'
import { keepsLocally, localStore } from '../session/storage'
import { loadPage, pageCopies } from './pages'

/** What a page needs from the antd App context and from the tab that it stands in. */
export interface PageHostParts {
  notify: Host['notify']
  confirm: Host['confirm']
  previewFile: Host['previewFile']
  watchDownload: Host['watchDownload']
  user: HostUser
  t: TFunction
  pageKey: string
  tabId: string | null
  locale: Locale
  theme: Host['theme']
  device: Host['device']
}

const PREFERENCE = '/v2/sys/staff/preference'

/** The Host of one page: shared services, and what concerns its own tab. */
export function createPageHost(portal: Portal, parts: PageHostParts): Host {
  const { http, session, routes, bookmarks, configuration } = portal
  const { t } = parts
  const localKey = (key: string) => `switchboard.page.${parts.user.userId}.${key}`

  return {
    locale: parts.locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || configuration.timeZone,
    companyTimeZone: configuration.timeZone,
    theme: parts.theme,
    device: parts.device,
    user: parts.user,
    request: http.request,
    async exportFile(path, body, fileName) {
      const { exportFile } = await filePart()
      await exportFile(http, path, body, fileName, t('error.export'))
    },
    async downloadFile(path, fileName) {
      const failed = t('error.download')
      try {
        const { downloadFile } = await filePart()
        await downloadFile(http, path, fileName, failed, (message) => parts.notify('error', message))
      } catch (error) {
        if (error instanceof RequestError && (error.kind === 'signedOut' || error.kind === 'aborted')) throw error
        parts.notify('error', failed)
        throw error
      }
    },
    async readBlob(path, signal) {
      const { readBlob } = await filePart()
      return readBlob(http, path, t('error.download'), signal)
    },
    previewFile: parts.previewFile,
    navigate(address, options) {
      if (options?.newWindow) window.open(address, '_blank', 'noopener')
      else portal.navigation.go(address, { replace: options?.replace })
    },
    closePage(next) {
      if (parts.tabId === null) return portal.navigation.go(next ?? '/home')
      bookmarks.setUnsaved(parts.pageKey, false)
      // null: somebody has gone to another tab meanwhile, and stays there
      const opener = bookmarks.close(parts.tabId, true)
      if (opener !== null) portal.navigation.go(next ?? opener, { replace: next !== undefined })
    },
    can: session.can,
    schemaChanges: portal.schemas,
    loadPage: (idOrPath, signal) => loadPage(portal, idOrPath, signal),
    pageCopies: pageCopies(portal),
    canOpen(address) {
      const path = address.split(/[?#]/)[0] ?? address
      const table = routes.table
      const embed = embedAt(path, session.rights)
      if (embed?.exact) return configuration.embeds[embed.iframeName] !== undefined
      const match = table.match(path)
      if (match.kind === 'redirect') return mayOpen(table, match.to, session.rights) && table.route(match.to)?.page !== null
      if (match.kind === 'route') return match.route.page !== null && mayOpen(table, path, session.rights)
      return match.kind === 'embed' && configuration.embeds[match.iframeName] !== undefined
    },
    notify: parts.notify,
    confirm: parts.confirm,
    async copy(text) {
      try {
        const { copyText } = await loadPart(() => import('../session/copyText'))
        await copyText(text)
        parts.notify('success', t('copied'))
      } catch {
        parts.notify('error', t('copyFailed'))
      }
    },
    now: () => new Date(Date.now() + http.clockOffset),
    async preference<T>(key: string) {
      const answer = await http.request<{ value?: T } | T | null>({
        method: 'GET',
        path: `${PREFERENCE}/${encodeURIComponent(key)}`,
      })
      return readPreference<T>(answer)
    },
    async savePreference(key, value) {
      await http.request({ method: 'POST', path: `${PREFERENCE}/${encodeURIComponent(key)}`, body: { value } })
    },
    local: {
      get: (key) => localStore().getItem(localKey(key)),
      set(key, value) {
        try {
          localStore().setItem(localKey(key), value)
          return keepsLocally()
        } catch (error) {
          // A full storage: the setting is not kept, the page goes on.
          report(error, { key })
          return false
        }
      },
      remove: (key) => localStore().removeItem(localKey(key)),
    },
    drafts: {
      get: (key) => portal.drafts.get(key, parts.pageKey),
      set: (key, text) => portal.drafts.set(key, text, parts.pageKey),
      remove: (key) => portal.drafts.remove(key),
      forget: (records) => portal.drafts.forget(records),
    },
    setUnsaved: (unsaved) => bookmarks.setUnsaved(parts.pageKey, unsaved),
    setTitle: (title) => bookmarks.name(parts.pageKey, title),
    watchDownload: parts.watchDownload,
    report(error, context) {
      report(error, context)
      tellFault(portal, error, context)
    },
  }
}

function readPreference<T>(answer: { value?: T } | T | null): T | null {
  if (typeof answer === 'object' && answer !== null && 'value' in answer) return (answer as { value?: T }).value ?? null
  return (answer as T | null) ?? null
}

/** For developers only: the console is where they look. */
export function report(error: unknown, context: Readonly<Record<string, unknown>>): void {
  console.error('Switchboard:', error, context)
}

const told = new Set<string>()

/** The admins of a page learn that a part of it could not be shown; once a place as long as the portal is open. */
function tellFault(portal: Portal, error: unknown, { where, at, revision }: Readonly<Record<string, unknown>>): void {
  if (typeof where !== 'string' || typeof at !== 'string' || error instanceof RequestError) return
  const shown = typeof revision === 'string' ? { revision } : {}
  const key = `${where} ${at} ${shown.revision ?? portal.schemas.revision ?? ''}`
  if (told.has(key)) return
  told.add(key)
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 1000)
  const request = {
    method: 'POST',
    path: '/v2/sys/page/fault',
    body: { where, at: at.slice(0, 300), message, ...shown },
  } as const
  portal.http.request(request).catch((failure: unknown) => report(failure, { fault: where }))
}
