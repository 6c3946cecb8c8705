import { RequestError, type HostRequest } from '../../headless/host'
import { readAnswer } from './answer'
import { EXPORT_TIMEOUT, type Http } from './client'

const FILE = /^\/v2\/download\/downloadCenter\/api\/file\/([^/?]+)$/
const FILE_BASE = '/v2/download/downloadCenter/api/file'
/** R339 */
export const IFRAME_REMOVAL = 300_000
const REVOKE_AFTER = 60_000

/** POSTs for a file and saves it. A JSON answer is an error: its msg, else the default text (R337, R338). */
export async function exportFile(
  http: Http,
  path: string,
  body: unknown,
  fileName: string,
  defaultMessage: string,
): Promise<void> {
  const answer = await http.blob({ method: 'POST', path, body, timeout: EXPORT_TIMEOUT })
  throwIfJson(answer.json, defaultMessage)
  saveBlob(answer.blob, answer.fileName ?? fileName)
}

/** Saves a file of the gateway: a stored file through a one-minute address and an iframe, anything else as a blob. */
export async function downloadFile(
  http: Http,
  path: string,
  fileName: string | undefined,
  failed: string,
  onError: (message: string) => void,
): Promise<void> {
  const id = FILE.exec(path)?.[1]
  if (id !== undefined) {
    const url = await ticketFor(http, decodeURIComponent(id))
    downloadInFrame(url, () => onError(failed))
    return
  }
  const answer = await http.blob({ method: 'GET', path, timeout: EXPORT_TIMEOUT })
  throwIfJson(answer.json, failed)
  saveBlob(answer.blob, answer.fileName ?? fileName ?? path.split('/').pop() ?? 'file')
}

/** A one-minute address of a stored file, for a new window or a frame. */
export async function ticketFor(http: Http, id: string): Promise<string> {
  const data = await http.request<{ url?: unknown } | null>({
    method: 'POST',
    path: `${FILE_BASE}/${encodeURIComponent(id)}/ticket`,
  })
  if (typeof data?.url !== 'string') throw new RequestError('malformed', '')
  return data.url
}

/** The bytes of a stored file, for a preview inside the page. */
export const fileBlob = (http: Http, id: string, failed: string): Promise<Blob> =>
  readBlob(http, `${FILE_BASE}/${encodeURIComponent(id)}`, failed)

/** The bytes behind an address of the gateway, for what is shown inside the page. */
export async function readBlob(http: Http, path: string, failed: string, signal?: AbortSignal): Promise<Blob> {
  const request: HostRequest = { method: 'GET', path, timeout: EXPORT_TIMEOUT, ...(signal ? { signal } : {}) }
  const answer = await http.blob(request)
  throwIfJson(answer.json, failed)
  return answer.blob
}

function throwIfJson(json: string | null, defaultMessage: string): void {
  if (json === null) return
  const answer = readAnswer(json)
  const message = (answer.kind === 'envelope' && answer.msg) || defaultMessage
  throw new RequestError('business', message, answer.kind === 'envelope' ? answer.code : undefined)
}

export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER)
}

/** A download raises no load event in the frame; a load means that a page came instead, and that is a failure. */
export function downloadInFrame(url: string, onFailure: () => void): void {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = url.split('?')[0] ?? ''
  frame.src = url
  const timer = setTimeout(() => frame.remove(), IFRAME_REMOVAL)
  frame.addEventListener('load', () => {
    clearTimeout(timer)
    frame.remove()
    onFailure()
  })
  document.body.append(frame)
}
