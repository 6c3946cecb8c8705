import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookieOptions {
  /** Only sent to addresses below it. */
  path: string
  /** Seconds; 0 removes it. */
  maxAge: number
  /** Only over https. */
  secure: boolean
  /** From which sites the browser sends it; default Lax: links that lead here, too. */
  sameSite?: 'Strict' | 'Lax' | 'None'
}

/** The value of a cookie that the browser sent. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = part.split('=')
    if (key.trim() === name) return decoded(value.join('=').trim())
  }
  return undefined
}

/**
 * Sets a cookie that no script reads and, but for `None`, no other site makes the browser send. One for pages of another site is
 * kept apart for each site that they belong to.
 */
export function setHiddenCookie(reply: FastifyReply, name: string, value: string, options: CookieOptions): void {
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${options.path}`,
    `Max-Age=${options.maxAge}`,
    'HttpOnly',
    `SameSite=${options.sameSite ?? 'Lax'}`,
  ]
  if (options.secure) parts.push('Secure')
  if (options.sameSite === 'None') parts.push('Partitioned')
  reply.header('set-cookie', parts.join('; '))
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
