import type { Locale } from '../schema/problem'
import type { DictionaryDocument } from '../schema/generated/dictionary'
import type { EntityDocument } from '../schema/generated/entity'
import type { PageDocument } from '../schema/generated/page'

/** Signed-in user (R143). */
export interface HostUser {
  userId: string
  staffId: string
  name: string
  jobNumber: string
  avatar: string | null
  jobTime: string | null
  deptNames: readonly string[]
}

/** A call to the gateway; the path is relative to the gateway's base address. */
export interface HostRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  /** Obtains an idempotence key first and sends it (R283, R284). A given string is used as the key of every retry. */
  idempotent?: boolean | string
  /** The form that is submitted, as it was opened: the gateway says so when a later revision does not take it. */
  form?: { page: string; revision: string }
  /** Shows the server's message by itself (R373); default false: the caller shows the error in place. */
  showErrors?: boolean
  signal?: AbortSignal
  /** Milliseconds; default 90000 (R310). */
  timeout?: number
  /** Multipart upload with progress in 0..1. */
  onProgress?: (fraction: number) => void
}

/** Why a request failed, in the viewer's language. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  constructor(
    readonly kind: 'business' | 'http' | 'network' | 'timeout' | 'malformed' | 'aborted' | 'signedOut',
    message: string,
    /** The answer code for business errors, the HTTP status for http errors. */
    readonly code?: number,
    /** data of the envelope, e.g. { errors: [{ field, message }] }. */
    readonly data?: unknown,
    /** The shell has said it already (a dialog or message of the error catalogue): it is not said twice. */
    readonly told = false,
  ) {
    super(message)
  }
}

/** Everything that compile() needs for a page, as the gateway answers it. */
export interface PageBundle {
  page: PageDocument
  /** File of the page, or page:/path. */
  where: string
  revision: string
  /** Of the changes of admins that are released in it, as the page designer counts them; absent when there are none. */
  number?: number
  entities: Readonly<Record<string, EntityDocument>>
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  /** By `entity.field`: what is hidden from the viewer, masked or read-only for him; absent when nothing is. */
  fieldRules?: Readonly<Record<string, string>>
  /** Addresses that start a process which the viewer may not start: no action that leads there is shown. */
  closedStarts?: readonly string[]
  /** Of a report: by entity the tabs of lists to which its figures lead. */
  lists?: Readonly<Record<string, readonly { path: string; tab?: string; view?: string; permission?: string }[]>>
}
export interface LoadedPage {
  bundle: PageBundle
  /**
   * gateway: fresh or revalidated; local: the last copy, because the gateway could not answer; earlier: the last revision that
   * could be shown, because the newest one cannot.
   */
  from: 'gateway' | 'local' | 'earlier'
}

/**
 * Where a page may be found that can be shown when the loaded one cannot: asked for again (the browser's copy was spoilt), the
 * last one that stood without a fault in this browser, the one before the newest release.
 */
export type PageCopy = 'again' | 'kept' | 'before'

/** Pages to show instead of one that cannot be shown. */
export interface PageCopies {
  /** This page stood without a fault. */
  keep(idOrPath: string, bundle: PageBundle): void
  /** Null when there is none, or none but `instead`; never rejects. */
  find(copy: PageCopy, idOrPath: string, instead: PageBundle, signal?: AbortSignal): Promise<PageBundle | null>
}

/** Which schemas the gateway serves, and the news that others are. */
export interface SchemaChanges {
  /** Null until the first answer. */
  readonly revision: string | null
  /** @returns the end of listening */
  listen(listener: () => void): () => void
}

/** What can be done right after something happened, e.g. undo it. */
export interface NotifyAction {
  label: string
  /** Until when it can be done: the seconds are counted, and the message stands as long. */
  until?: Date
  run(): void
}

/** The one way in which the runtime and the widgets reach the world. The shell implements it, tests fake it. */
export interface Host {
  readonly locale: Locale
  /** IANA name of the viewer's zone. */
  readonly timeZone: string
  /** The zone in which the company counts days (today, days between); the viewer's when it is not said. */
  readonly companyTimeZone?: string
  readonly theme: 'light' | 'dark'
  readonly device: 'PC' | 'IPAD' | 'Mobile'
  /** The page is looked at beside other work: it takes no focus by itself. */
  readonly preview?: boolean
  readonly user: HostUser
  /** The data of the envelope; rejects with RequestError. */
  request<T>(request: HostRequest): Promise<T>
  /** A POST with a blob answer (R337); saves the file; rejects with RequestError, default message 导出失败 (R338). */
  exportFile(path: string, body: unknown, fileName: string): Promise<void>
  /** Downloads a file of the gateway and saves it; 下载失败 on failure (R380). */
  downloadFile(path: string, fileName?: string): Promise<void>
  /** What an address of the gateway holds, for a picture inside the page; rejects with RequestError. */
  readBlob(path: string, signal?: AbortSignal): Promise<Blob>
  /** Opens the preview by the rules of the specification (R267-R269). */
  previewFile(file: { id: string; name: string }): void
  /** Opens an address of the portal. */
  navigate(address: string, options?: { replace?: boolean; newWindow?: boolean }): void
  /** Closes the tab of this page and goes to an address, else back to where it was opened from. */
  closePage(next?: string): void
  /** True when the user holds the permission key. */
  can(key: string): boolean
  /** The pages that the gateway serves have changed; open pages look whether it concerns them. */
  readonly schemaChanges?: SchemaChanges
  /** Loads a page by route or by name (module/file). */
  loadPage(idOrPath: string, signal?: AbortSignal): Promise<LoadedPage>
  readonly pageCopies?: PageCopies
  /** A route that exists and that the user may open (links to other routes are shown as text). */
  canOpen(address: string): boolean
  /** A message of a few seconds; with an action it has a button and stands for 10 s. */
  notify(type: 'success' | 'info' | 'warning' | 'error', message: string, action?: NotifyAction): void
  /** Resolves true when confirmed. With a phrase, the phrase has to be typed first. */
  confirm(options: { title: string; content?: string; danger?: boolean; phrase?: string; okText?: string }): Promise<boolean>
  /** Copies and says so. */
  copy(text: string): Promise<void>
  /** The server's clock (corrects a wrong local one). */
  now(): Date
  /** A setting of the user, kept on the server: columns, density, saved views. */
  preference<T>(key: string): Promise<T | null>
  savePreference(key: string, value: unknown): Promise<void>
  /** Small local store per user (settings of lists); survives a reload, cleared by sign-out. `set` says whether the browser kept it. */
  readonly local: { get(key: string): string | null; set(key: string, value: string): boolean; remove(key: string): void }
  /** What the user typed and has not submitted; outlives the session. `set` says whether the browser kept it. */
  readonly drafts: {
    get(key: string): string | null
    set(key: string, value: string): Promise<boolean>
    remove(key: string): void
    /** The records with these ids are gone, and with them what was typed about them. */
    forget(records: readonly string[]): void
  }
  /** Marks this page as holding unsaved input: dot on the tab, warning before it is closed or left. */
  setUnsaved(unsaved: boolean): void
  /** Names the tab of a page whose address names none, e.g. by the record that it shows. */
  setTitle?(title: string): void
  /** A background task of the download centre was started; the shell shows its progress. */
  watchDownload(taskId: string): void
  /** Logs a defect for developers; never shown to people. */
  report(error: unknown, context: Readonly<Record<string, unknown>>): void
}
