import { createHmac, timingSafeEqual } from 'node:crypto'

/** What an address in a campaign mail is for. */
export type TrackedKind = 'open' | 'click' | 'unsubscribe'

/** Where the public calls of campaign mails stand. */
export const TRACKING = '/v2/crm/mail'

/** Bytes of a signature: nobody guesses 128 bits. */
const SIGNED = 16

/** Signs what an address is for, by the key of its campaign: nobody makes an address of somebody else's. */
function signatureOf(secret: string, kind: TrackedKind, recipientId: string, link: number | null): string {
  return createHmac('sha256', secret)
    .update(`${kind}/${recipientId}/${link ?? ''}`)
    .digest()
    .subarray(0, SIGNED)
    .toString('base64url')
}

/** Whether a signature is the one of an address. */
export function isSigned(
  secret: string,
  kind: TrackedKind,
  recipientId: string,
  link: number | null,
  signature: string,
): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(secret, kind, recipientId, link))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** The addresses of one recipient's mail. */
export interface TrackedAddresses {
  open: string
  unsubscribe: string
  /** The subject that unsubscribes by mail, where there is no web address. */
  unsubscribeSubject: string
  /** Of a link by its place in the campaign. */
  click(link: number): string
}

/** The addresses of a recipient; `base` is the origin of the portal, empty where none is configured. */
export function addressesFor(base: string, secret: string, recipientId: string): TrackedAddresses {
  const at = (kind: TrackedKind, link: number | null = null): string => {
    const signature = signatureOf(secret, kind, recipientId, link)
    return `${base}${TRACKING}/${kind}/${recipientId}/${link === null ? '' : `${link}/`}${signature}`
  }
  return {
    open: at('open'),
    unsubscribe: at('unsubscribe'),
    unsubscribeSubject: `unsubscribe ${recipientId}.${signatureOf(secret, 'unsubscribe', recipientId, null)}`,
    click: (link) => at('click', link),
  }
}

/** The recipient and signature in a subject that unsubscribes by mail. */
export function unsubscribedBy(subject: string): { recipientId: string; signature: string } | null {
  const found = /^\s*unsubscribe ([0-9a-v]{20})\.([\w-]{22})\s*$/iu.exec(subject)
  return found ? { recipientId: found[1]!.toLowerCase(), signature: found[2]! } : null
}

/** The local part that bounces of one recipient's mail come back to (VERP), and whose they are. */
export const returnPathOf = (address: string, recipientId: string): string => {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+b-${recipientId}${address.slice(at)}`
}
