import { distance } from 'fastest-levenshtein'
import { getDomain } from 'tldts'
import { domainOf, isMailAddress } from '../../../src/headless/mail'
import { linksOf } from './words'
import type { ReadMail } from './read'

/** What may be wrong with a mail, as its reader is told. */
export type Warning =
  | 'replyToDiffers'
  | 'displayNameIsOtherAddress'
  | 'linkTextDiffers'
  | 'lookalikeDomain'
  | 'firstTimeSender'
  | 'executableAttachment'
  | 'passwordProtectedArchive'

/** What is known of those who write. */
export interface KnownParties {
  /** Domains of our own, of customers and of suppliers. */
  domains: readonly string[]
  /** The sender wrote to the mailbox before. */
  isKnown: boolean
}

const RUNS = /\.(?:exe|scr|com|pif|bat|cmd|js|jse|vbs|vbe|wsf|wsh|ps1|msi|hta|jar|lnk|iso|img|reg|cpl|dll|apk|docm|xlsm|pptm)$/iu
const LOOK_ALIKE: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '5': 's', '3': 'e' }

/** What of a domain was registered. */ export const registered = (domain: string): string => getDomain(domain) ?? domain

/** A domain in which letters that look alike are the same. */
const shape = (domain: string): string =>
  domain
    .replace(/rn/gu, 'm')
    .replace(/vv/gu, 'w')
    .replace(/[013i5]/gu, (letter) => LOOK_ALIKE[letter]!)

/** Whether a domain is not one of these, but looks like one. */
export function looksLike(domain: string, known: readonly string[]): boolean {
  const own = registered(domain)
  if (own === '' || known.some((one) => registered(one) === own)) return false
  return known.some((one) => {
    const other = registered(one)
    if (Math.abs(other.length - own.length) > 1 || other.length < 5) return false
    return shape(other) === shape(own) || distance(other, own) === 1
  })
}

/** The warnings of a mail, each once. */
export function warningsOf(mail: ReadMail, { domains, isKnown }: KnownParties): Warning[] {
  const sender = domainOf(mail.sender.email)
  const found: [Warning, boolean][] = [
    ['replyToDiffers', mail.replyTo.some(({ email }) => registered(domainOf(email)) !== registered(sender))],
    ['displayNameIsOtherAddress', isOtherAddress(mail.sender.name, mail.sender.email)],
    ['linkTextDiffers', mail.html !== null && linksOf(mail.html).some(({ href, text }) => leadsElsewhere(href, text))],
    ['lookalikeDomain', looksLike(sender, domains)],
    ['firstTimeSender', !isKnown],
    ['executableAttachment', mail.attachments.some(({ name }) => RUNS.test(name))],
    ['passwordProtectedArchive', mail.attachments.some(({ isEncrypted }) => isEncrypted)],
  ]
  return found.flatMap(([warning, holds]) => (holds ? [warning] : []))
}

function isOtherAddress(name: string | undefined, email: string): boolean {
  const written = name?.slice(0, 400).match(/[^\s<>"']+@[^\s<>"']+/u)?.[0]
  return written !== undefined && isMailAddress(written) && written.toLowerCase() !== email.toLowerCase()
}

/** Whether what is written on a link is another site than that which it leads to. */
function leadsElsewhere(href: string, text: string): boolean {
  const written = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,24})(?:[/?#:]|$)/iu.exec(text)?.[1]
  if (written === undefined || !URL.canParse(href)) return false
  const target = new URL(href).hostname
  return target !== '' && registered(written.toLowerCase()) !== registered(target)
}

const HEAVY: readonly Warning[] = ['displayNameIsOtherAddress', 'linkTextDiffers', 'lookalikeDomain', 'executableAttachment']

/** Whether warnings weigh so much that a mail is spam by them alone: two of the heavy ones, from somebody who never wrote before. */
export const weighsAsSpam = (warnings: readonly Warning[]): boolean =>
  warnings.includes('firstTimeSender') && warnings.filter((warning) => HEAVY.includes(warning)).length >= 2
