/** What every JSON answer of the gateway looks like (R314). */
export interface Answer<T = unknown> {
  code: number
  msg: string
  data: T
}

/** A success: code 0 and the data. */
export function ok<T>(data: T): Answer<T>
export function ok(): Answer<null>
export function ok(data: unknown = null): Answer {
  return { code: 0, msg: 'OK', data }
}
