import { createHmac } from 'node:crypto'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { publicLookup, refusePrivateHost } from '../../platform/outside'

/** What a notice says, before it takes the shape that its target wants. */
export interface NoticePayload {
  event: string
  title: string
  text: string
  /** Name and value, at most four: the card (money 12). */
  facts: readonly { name: string; value: string }[]
  /** Absolute, leads to the place in the portal after sign-in. */
  link: string
  at: string
  /** The whole of it, where it goes by mail. */
  html?: string
}

/** Where it goes. */
export interface NoticeTarget {
  kind: string
  address: string
  secret: string | null
  atAll: boolean
}

/** What came back. */
export interface PostAnswer {
  status: number
  text: string
}

const LONGEST_ANSWER = 500

const markdown = ({ title, text, facts, link }: NoticePayload): string =>
  [
    `**${title}**`,
    ...(text === '' ? [] : [text]),
    ...facts.map(({ name, value }) => `- ${name}: ${value}`),
    `[${link}](${link})`,
  ].join('\n\n')

/** DingTalk: the secret signs `timestamp\nsecret`, both stand in the address. */
function dingTalk(payload: NoticePayload, { address, secret, atAll }: NoticeTarget, now: Date): { url: URL; body: string } {
  const url = new URL(address)
  if (secret !== null) {
    const timestamp = String(now.getTime())
    url.searchParams.set('timestamp', timestamp)
    url.searchParams.set('sign', createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'))
  }
  const message = { msgtype: 'markdown', markdown: { title: payload.title, text: markdown(payload) }, at: { isAtAll: atAll } }
  return { url, body: JSON.stringify(message) }
}

/** Feishu: `timestamp\nsecret` is the key that signs nothing, both stand in the body. */
function feishu(payload: NoticePayload, { address, secret, atAll }: NoticeTarget, now: Date): { url: URL; body: string } {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed =
    secret === null ? {} : { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64') }
  const lines: object[][] = [
    ...(payload.text === '' ? [] : [[{ tag: 'text', text: payload.text }]]),
    ...payload.facts.map(({ name, value }) => [{ tag: 'text', text: `${name}: ${value}` }]),
    [{ tag: 'a', text: payload.link, href: payload.link }],
    ...(atAll ? [[{ tag: 'at', user_id: 'all' }]] : []),
  ]
  const content = { post: { zh_cn: { title: payload.title, content: lines } } }
  return { url: new URL(address), body: JSON.stringify({ ...signed, msg_type: 'post', content }) }
}

/** Robots answer 200 and say in the body that they refused. */
function refusalOf(kind: string, text: string): string | null {
  if (kind === 'plain') return null
  try {
    const { errcode, errmsg, code, msg } = JSON.parse(text) as Partial<Record<'errcode' | 'errmsg' | 'code' | 'msg', unknown>>
    const [number, words] = kind === 'dingTalk' ? [errcode, errmsg] : [code, msg]
    return number === undefined || number === 0 ? null : `${String(number)} ${typeof words === 'string' ? words : ''}`.trim()
  } catch {
    return null
  }
}

/**
 * Gives a notice to its target. Only http and https, no redirections; private networks only where `allowPrivate`.
 * @throws Error with the reason in words: not reached, refused, private
 */
export async function post(
  payload: NoticePayload,
  target: NoticeTarget,
  { now, allowPrivate, signal, key }: { now: Date; allowPrivate: boolean; signal: AbortSignal; key: string },
): Promise<PostAnswer> {
  const { url, body } =
    target.kind === 'dingTalk'
      ? dingTalk(payload, target, now)
      : target.kind === 'feishu'
        ? feishu(payload, target, now)
        : { url: new URL(target.address), body: JSON.stringify(payload) }
  if (!['http:', 'https:'].includes(url.protocol)) throw new Error(`${url.protocol} is no address of a webhook.`)
  if (!allowPrivate) refusePrivateHost(url)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'idempotency-key': key,
    ...plainSignature(target, body, now),
  }
  const answer = await send(url, body, headers, { allowPrivate, signal })
  const refused =
    answer.status >= 200 && answer.status < 300 ? refusalOf(target.kind, answer.text) : `HTTP ${answer.status}: ${answer.text}`
  if (refused !== null) throw new Error(refused.slice(0, LONGEST_ANSWER))
  return answer
}

/** Other addresses get the hexadecimal HMAC-SHA256 of `timestamp.body`. */
function plainSignature({ kind, secret }: NoticeTarget, body: string, now: Date): Record<string, string> {
  if (kind !== 'plain' || secret === null) return {}
  const timestamp = String(now.getTime())
  return { 'x-timestamp': timestamp, 'x-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex') }
}

function send(
  url: URL,
  body: string,
  headers: Record<string, string>,
  { allowPrivate, signal }: { allowPrivate: boolean; signal: AbortSignal },
): Promise<PostAnswer> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal }
    const sent = request(url, { ...options, ...(allowPrivate ? {} : { lookup: publicLookup }) }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text = (text + part).slice(0, LONGEST_ANSWER)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: text.trim() }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
