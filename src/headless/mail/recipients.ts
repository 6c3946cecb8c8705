import { asciiAddress, type MailAddress } from './addresses'

/** What an answer looks at of the mail that it answers. */
export interface AnsweredMail {
  direction: 'in' | 'out'
  sender: MailAddress
  replyTo: readonly MailAddress[]
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
}

/** To whom an answer goes. */
export interface AnswerRecipients {
  to: MailAddress[]
  cc: MailAddress[]
}

/**
 * The recipients of an answer. One's own sent mail is answered to its recipients; `Reply-To` is honoured; an answer to all leaves out one's own addresses and keeps
 * Cc, each address once.
 */
export function answerRecipients(mail: AnsweredMail, all: boolean, own: readonly string[]): AnswerRecipients {
  const mine = new Set(own.map(asciiAddress))
  const first = mail.direction === 'out' ? mail.to : mail.replyTo.length > 0 ? mail.replyTo : [mail.sender]
  const seen = new Set<string>()
  const take = (list: readonly MailAddress[], even: boolean): MailAddress[] =>
    list.filter(({ email }) => {
      const key = asciiAddress(email)
      if (seen.has(key) || (!even && mine.has(key))) return false
      seen.add(key)
      return true
    })
  if (!all) return { to: take(first, true), cc: [] }
  const others = mail.direction === 'out' ? [] : mail.to
  const to = take([...first, ...others], false)
  const cc = take(mail.cc, false)
  // whoever writes to himself alone answers himself
  return to.length + cc.length > 0 ? { to, cc } : { to: take(first, true), cc: [] }
}
