import { escapedText, filledWith, openVariables } from '../../../../src/headless/mail'
import { cleanHtml, linksOf } from '../../../platform/mail'
import type { EntityRecord } from '../../../entities'
import { textOf } from '../services/values'
import type { TrackedAddresses } from './addresses'

type Locale = 'zh' | 'en'

/** Whom a letter is for, as far as its text depends on it. */
export interface Reader {
  language: string
  name: string | null
  customerName: string | null
}

/** Who writes. */
export interface Writer {
  name: string
  mobile: string | null
}

/** What a letter says of the day on which it goes. */
interface Occasion {
  writer: Writer
  today: string
}

/** Variables that a letter may name (docs of mail templates), and the line by which one unsubscribes. */
const KNOWN = new Set(['contact.name', 'customer.name', 'me.name', 'me.mobile', 'today', 'unsubscribe'])
const LINE = {
  zh: { before: '不想再收到此类邮件？', link: '退订' },
  en: { before: 'You would rather not get such mail?', link: 'Unsubscribe' },
} as const

export const localeOf = (language: string): Locale => (language.startsWith('zh') ? 'zh' : 'en')

/** Subject and body in the language of a reader: the English version where there is one and he does not read Chinese. */
export function versionFor(campaign: EntityRecord, language: string): { subject: string; body: string } {
  const english = localeOf(language) === 'en'
  const [subject, body] = [textOf(campaign.subjectEn), textOf(campaign.bodyEn)]
  if (english && subject !== null && body !== null) return { subject, body }
  return { subject: textOf(campaign.subject) ?? '', body: textOf(campaign.body) ?? '' }
}

const texts = ({ subject, body, subjectEn, bodyEn }: EntityRecord): string[] =>
  [subject, body, subjectEn, bodyEn].flatMap((text) => textOf(text) ?? [])

/** Variables that nobody knows: they would be sent as braces. */
export const unknownVariables = (campaign: EntityRecord): string[] =>
  openVariables(...texts(campaign)).filter((name) => !KNOWN.has(name))

/** The variables without a value for some of these readers, and for how many; what the campaign says in their place counts as a value. */
export function missingValues(
  campaign: EntityRecord,
  readers: readonly Reader[],
  writer: Writer,
): { variable: string; readers: number }[] {
  const said: Readonly<Record<string, (reader: Reader) => string | null>> = {
    'contact.name': ({ name }) => name ?? textOf(campaign.contactFallback),
    'customer.name': ({ customerName }) => customerName ?? textOf(campaign.customerFallback),
    'me.mobile': () => writer.mobile,
  }
  return openVariables(...texts(campaign)).flatMap((variable) => {
    const valueOf = said[variable]
    const missing = valueOf ? readers.filter((reader) => valueOf(reader) === null).length : 0
    return missing > 0 ? [{ variable, readers: missing }] : []
  })
}

/** The links of a campaign's texts, each once, in their order; those that name a variable are not followed. */
export function linksIn(campaign: EntityRecord): string[] {
  const html = [campaign.body, campaign.bodyEn].flatMap((body) => textOf(body) ?? []).map((body) => cleanHtml(body).html)
  const all = html.flatMap((body) => linksOf(body).map(({ href }) => href))
  return [...new Set(all)].filter((href) => /^https?:/iu.test(href) && !href.includes('{{'))
}

/** How a letter is followed: its addresses and the links of its campaign. */
export interface Tracking {
  addresses: TrackedAddresses
  /** Opens and clicks are followed; else only the way to unsubscribe is the recipient's own. */
  links: readonly string[] | null
  /** Where one unsubscribes by a click; without a public address by a mail to this one. */
  replyTo: string
}

/** A letter as one reader gets it, before it is frozen. Values that are missing are filled by what the campaign says in their place. */
export function letterFor(
  campaign: EntityRecord,
  reader: Reader,
  { writer, today }: Occasion,
  tracking: Tracking | null,
): { subject: string; html: string } {
  const { subject, body } = versionFor(campaign, reader.language)
  const values: Record<string, string> = {
    'contact.name': reader.name ?? textOf(campaign.contactFallback) ?? '',
    'customer.name': reader.customerName ?? textOf(campaign.customerFallback) ?? '',
    'me.name': writer.name,
    'me.mobile': writer.mobile ?? '',
    today,
  }
  const escaped = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapedText(value)]))
  const html = filledWith(cleanHtml(body).html, escaped)
  return { subject: filledWith(subject, values), html: withTracking(html, localeOf(reader.language), tracking) }
}

function withTracking(html: string, locale: Locale, tracking: Tracking | null): string {
  const address = tracking === null ? '#' : unsubscribeAddress(tracking)
  const { before, link } = LINE[locale]
  const anchor = `<a href="${escapedText(address)}">${link}</a>`
  const named = /\{\{\s*unsubscribe\s*\}\}/gu
  const whole = named.test(html)
    ? html.replace(named, anchor)
    : `${html}<p style="color:#8c8c8c;font-size:12px">${before} ${anchor}</p>`
  if (!tracking?.links) return whole
  const { addresses, links } = tracking
  const clicked = whole.replace(/(<a [^>]*?href=")([^"]*)(")/giu, (all, start: string, href: string, end: string) => {
    const index = links.indexOf(href.replace(/&amp;/gu, '&'))
    return index < 0 ? all : `${start}${escapedText(addresses.click(index))}${end}`
  })
  return `${clicked}<img src="${escapedText(addresses.open)}" alt="" width="1" height="1">`
}

const unsubscribeAddress = ({ addresses, replyTo }: Tracking): string =>
  addresses.unsubscribe.startsWith('http') ? addresses.unsubscribe : unsubscribeMail(addresses, replyTo)

const unsubscribeMail = ({ unsubscribeSubject }: TrackedAddresses, replyTo: string): string =>
  `mailto:${replyTo}?subject=${encodeURIComponent(unsubscribeSubject)}`

/** The headers of a campaign mail: how to unsubscribe, by one click where the portal is reached over https (RFC 2369, RFC 8058), and that no answer of a machine is wanted (RFC 3834). */
export function headersOf({ addresses, replyTo }: Omit<Tracking, 'links'>): Record<string, string> {
  const isWeb = addresses.unsubscribe.startsWith('http')
  const ways = [...(isWeb ? [addresses.unsubscribe] : []), unsubscribeMail(addresses, replyTo)]
  return {
    'List-Unsubscribe': ways.map((way) => `<${way}>`).join(', '),
    ...(addresses.unsubscribe.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
    Precedence: 'bulk',
    'Auto-Submitted': 'auto-generated',
  }
}
