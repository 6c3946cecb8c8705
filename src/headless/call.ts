import type { CallModel } from '../schema/model'
import type { Host, HostRequest } from './host'

/**
 * A call of the page model with its parameters: `{name}` in the path is filled from them, the rest travels as the body
 * (POST, PUT, PATCH) or as the query (GET, DELETE). Throws when the path names a parameter that is not given.
 */
export const toRequest = (call: CallModel, params: Readonly<Record<string, unknown>>): HostRequest => {
  const rest: Record<string, unknown> = { ...params }
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    if (value === undefined || value === null || value === '')
      throw new Error(`The call ${call.method} ${call.path} needs the parameter "${name}".`)
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (call.method !== 'GET' && call.method !== 'DELETE') return { method: call.method, path, body: rest }
  const query: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue
    query[name] =
      typeof value === 'number' || typeof value === 'boolean'
        ? value
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
  }
  return { method: call.method, path, query }
}

/** Sends a call of the page model; writes carry an idempotence key. Rejects with RequestError. */
export const sendCall = <T>(
  host: Pick<Host, 'request'>,
  call: CallModel,
  params: Readonly<Record<string, unknown>>,
  options: Partial<HostRequest> = {},
): Promise<T> => host.request<T>({ ...toRequest(call, params), ...options })
