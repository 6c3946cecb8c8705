import { createHash, randomBytes } from 'node:crypto'

/** A message of SIP (RFC 3261): a request or an answer. */
export interface SipMessage {
  /** Of a request: its method. */
  method: string | null
  /** Of an answer. */
  code: number
  reason: string
  /** By name in small letters, all values of a header in their order. */
  headers: ReadonlyMap<string, readonly string[]>
  body: string
}

const COMPACT: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
}

/** What a datagram says; null where it is no SIP. */
export function parseSip(datagram: Buffer): SipMessage | null {
  const [head = '', ...bodies] = datagram.toString('utf8').split('\r\n\r\n')
  const [start = '', ...lines] = head.split('\r\n')
  const answer = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(start)
  const request = /^([A-Z]+) \S+ SIP\/2\.0$/.exec(start)
  if (!answer && !request) return null
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const said = line.slice(0, colon).trim().toLowerCase()
    const name = COMPACT[said] ?? said
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return {
    method: request?.[1] ?? null,
    code: Number(answer?.[1] ?? 0),
    reason: answer?.[2] ?? '',
    headers,
    body: bodies.join('\r\n\r\n'),
  }
}

export const headerOf = ({ headers }: SipMessage, name: string): string => headers.get(name)?.[0] ?? ''

/** A message as it is sent. */
export function writeSip(start: string, headers: readonly (readonly [string, string])[], body = ''): Buffer {
  const lines = [...headers, ['Content-Length', String(Buffer.byteLength(body))] as const].map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from(`${start}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

export const token = (): string => randomBytes(8).toString('hex')

/** Static payload types of RFC 3551; what has none is offered by a dynamic one. */
const PAYLOADS: Readonly<Record<string, readonly [number, string]>> = {
  g711u: [0, 'PCMU/8000'],
  g723: [4, 'G723/8000'],
  g711a: [8, 'PCMA/8000'],
  g729: [18, 'G729/8000'],
  opus: [111, 'opus/48000/2'],
}

/** The media that we offer: one stream that we only listen to. */
export function offer(codec: string, host: string, port: number): string {
  const [payload, name] = PAYLOADS[codec] ?? PAYLOADS.g711a!
  const family = host.includes(':') ? 'IP6' : 'IP4'
  const lines = [
    'v=0',
    `o=- ${Date.now()} 1 IN ${family} ${host}`,
    's=test',
    `c=IN ${family} ${host}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${payload}`,
    `a=rtpmap:${payload} ${name}`,
    'a=recvonly',
  ]
  return `${lines.join('\r\n')}\r\n`
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const quoted = (challenge: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="?([^",]+)"?`, 'i').exec(challenge)?.[1]

/** Answers a challenge (RFC 2617, MD5). */
export function digest(
  challenge: string,
  { user, password, method, uri }: { user: string; password: string; method: string; uri: string },
): string {
  const [realm, nonce, opaque] = [quoted(challenge, 'realm') ?? '', quoted(challenge, 'nonce') ?? '', quoted(challenge, 'opaque')]
  const [first, second] = [md5(`${user}:${realm}:${password}`), md5(`${method}:${uri}`)]
  const parts = [`username="${user}"`, `realm="${realm}"`, `nonce="${nonce}"`, `uri="${uri}"`, 'algorithm=MD5']
  if (opaque !== undefined) parts.push(`opaque="${opaque}"`)
  if (/\bqop="?[^"]*\bauth\b/i.test(challenge)) {
    const [count, own] = ['00000001', token()]
    parts.push(
      'qop=auth',
      `nc=${count}`,
      `cnonce="${own}"`,
      `response="${md5(`${first}:${nonce}:${count}:${own}:auth:${second}`)}"`,
    )
  } else parts.push(`response="${md5(`${first}:${nonce}:${second}`)}"`)
  return `Digest ${parts.join(', ')}`
}

/** What a final code says of a call. */
export function resultOf(code: number): 'answered' | 'noAnswer' | 'busy' | 'refused' | 'failed' {
  if (code >= 200 && code < 300) return 'answered'
  if (code === 486 || code === 600) return 'busy'
  if (code === 408 || code === 480 || code === 487) return 'noAnswer'
  return code === 403 || code === 603 ? 'refused' : 'failed'
}
