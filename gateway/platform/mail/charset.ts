import jschardet from 'jschardet'

/** A name that the text of the charset can be read by; ASCII and what nobody knows have none. */
function readable(charset: string): string | null {
  const name = charset.toLowerCase() === 'gb2312' ? 'gb18030' : charset.toLowerCase()
  try {
    new TextDecoder(name)
    return name === 'ascii' || name === 'us-ascii' ? null : name
  } catch {
    return null
  }
}

/** The charset that bytes without a name seem to be in: UTF-8 where they are, else the likeliest. */
export function guessCharset(bytes: Buffer): string | null {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    // one that is not UTF-8 is told by its letters alone
    const eighth = Buffer.from(bytes.filter((byte) => byte >= 0x80 || byte === 0x20))
    const found = jschardet.detect(bytes)
    const [likely] = found.confidence >= 0.5 ? [found] : [jschardet.detect(eighth)]
    return readable(likely?.encoding ?? '') ?? 'gb18030'
  }
}

const HEAD_END = /\r?\n\r?\n/u
const TYPE = /^(content-type:[ \t]*text\/[\w.+-]+)((?:[^\r\n]|\r?\n[ \t])*)/gimu

/** A raw message whose headers are UTF-8 where their bytes were sent as they are in another charset; and which one was guessed. */
export function withPlainHeaders(raw: Buffer): { raw: Buffer; guessed: string | null } {
  const text = raw.toString('latin1')
  const end = HEAD_END.exec(text)?.index ?? text.length
  const head = raw.subarray(0, end)
  const guessed = guessCharset(head)
  if (guessed === 'utf-8' || guessed === null) return { raw, guessed: null }
  return { raw: Buffer.concat([Buffer.from(new TextDecoder(guessed).decode(head)), raw.subarray(end)]), guessed }
}

/**
 * A raw message whose texts say another charset: that of a guess, or of a reader's choice. Only parts that name none, or one that `instead` says, are changed; the
 * stored message stays as it came.
 */
export function relabelled(raw: Buffer, charset: string, instead: (named: string) => boolean): Buffer {
  const whole = raw.toString('latin1')
  const end = HEAD_END.exec(whole)?.index ?? whole.length
  const typed = /^content-type:/imu.test(whole.slice(0, end)) ? whole : `Content-Type: text/plain\r\n${whole}`
  const text = typed.replace(TYPE, (header, type: string, rest: string) => {
    const named = /;\s*charset\s*=\s*"?([\w.:+-]+)"?/iu.exec(rest)?.[1]
    if (named !== undefined && !instead(named.toLowerCase())) return header
    return `${type}; charset=${charset}${rest.replace(/;\s*charset\s*=\s*(?:"[^"]*"|[\w.:+-]+)/giu, '')}`
  })
  return Buffer.from(text, 'latin1')
}
