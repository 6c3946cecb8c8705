import { asciiAddress } from '../../../src/headless/mail'
import type { ReadMail } from './read'

/** Addresses that no person reads: they are of programs, of lists and of those who want no answer. */
const NOBODY =
  /^(?:mailer-daemon|postmaster|listserv|majordomo|bounces?|(?:no|do[-_.]?not)[-_.]?reply|owner-[^@]*|[^@]*-(?:owner|request|bounces))(?:[+-][^@]*)?@/iu
const CHINESE = /\p{Script=Han}/u
const MARKED = /^\s*(?:auto(?:matic)? ?reply|自动回复)\s*[:：]/iu

/** Whether a program may answer a mail (RFC 3834): a person wrote it, to this address by name. */
export function mayReplyByItself(
  mail: Pick<ReadMail, 'sender' | 'to' | 'cc' | 'messageId' | 'forbidsReply'>,
  address: string,
): boolean {
  const { sender, to, cc, messageId, forbidsReply } = mail
  if (forbidsReply || messageId === null || sender.email === '' || NOBODY.test(sender.email)) return false
  const own = asciiAddress(address)
  return asciiAddress(sender.email) !== own && [...to, ...cc].some(({ email }) => asciiAddress(email) === own)
}

/** The subject of an answer that a program gives, in the language of what it says. */
export function autoReplySubject(subject: string, text: string): string {
  if (MARKED.test(subject)) return subject
  return CHINESE.test(text) ? `自动回复：${subject}` : `Automatic reply: ${subject}`
}
