import type { Letter } from './letters'

const word = (text: string): string =>
  /^[\x20-\x7e]*$/u.test(text)
    ? text
    : (text.match(/.{1,12}/gu) ?? []).map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ')

const people = (list: readonly { email: string; name?: string }[]): string =>
  list.map(({ email, name }) => (name === undefined ? email : `${quoted(name)} <${email}>`)).join(',\r\n ')

const quoted = (name: string): string =>
  /^[\w .-]*$/u.test(name) ? name : /^[\x20-\x7e]*$/u.test(name) ? `"${name}"` : word(name)

const folded = (bytes: Buffer): string => (bytes.toString('base64').match(/.{1,76}/gu) ?? []).join('\r\n')

const fileName = (name: string): string =>
  /^[\x20-\x7e]*$/u.test(name) ? `filename="${name}"` : `filename*=UTF-8''${encodeURIComponent(name)}`

/** The date as mail writes it. */
export const mailDate = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000')

/** The bytes of a letter: thousands of them in a moment, for which a composer takes seconds. */
export function rawOf(letter: Letter, messageId: string, before: readonly string[]): Buffer {
  const { at, from, to, cc = [], subject, html, quote = '', files = [] } = letter
  const boundary = `sb-${messageId.slice(1, 12).replace(/\W/gu, '')}`
  const body = Buffer.from(`<!doctype html><html><body>${html}${quote}</body></html>`)
  const text = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(body)}\r\n`
  const head = [
    `From: ${people([from])}`,
    `To: ${people(to)}`,
    ...(cc.length > 0 ? [`Cc: ${people(cc)}`] : []),
    `Subject: ${word(subject)}`,
    `Date: ${mailDate(at)}`,
    `Message-ID: ${messageId}`,
    ...(before.length > 0 ? [`In-Reply-To: ${before.at(-1)}`, `References: ${before.join('\r\n ')}`] : []),
    'MIME-Version: 1.0',
  ].join('\r\n')
  if (files.length === 0) return Buffer.from(`${head}\r\n${text}`)
  const parts = files.map(
    ({ name, type, content }) =>
      `Content-Type: ${type}\r\nContent-Disposition: attachment; ${fileName(name)}\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(content)}\r\n`,
  )
  const whole = [text, ...parts].map((part) => `--${boundary}\r\n${part}`).join('')
  return Buffer.from(`${head}\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n${whole}--${boundary}--\r\n`)
}
