import { authenticate } from 'mailauth'
import type { Text } from '../http'

const ORIGINS = {
  unknown: { zh: '未验证来源。', en: 'The origin was not verified.' },
  local: { zh: '来自本系统的邮箱。', en: 'It comes from a mailbox of the portal.' },
  pass: { zh: '来源已验证：确由发件域名发出。', en: 'The origin is verified: it was sent by the domain that it names.' },
  fail: { zh: '来源不符：发件域名未认可此邮件，请小心。', en: 'The domain that it names does not own up to it: be careful.' },
  part: { zh: '来源部分验证。', en: 'The origin is verified in part.' },
  none: { zh: '来源无法验证。', en: 'The origin cannot be verified.' },
} as const satisfies Record<string, Text>

/** Whence a mail came, in one plain sentence. */
export function originOf(results: Record<string, unknown> | null): Text {
  if (results === null) return ORIGINS.unknown
  const { local, dmarc, spf, dkim } = results
  if (local === true) return ORIGINS.local
  if (dmarc === 'pass' || dmarc === 'fail') return ORIGINS[dmarc]
  return spf === 'pass' || JSON.stringify(dkim ?? '').includes('pass') ? ORIGINS.part : ORIGINS.none
}

/** What the mailbox's own server says of the origin; a header further down may be anybody's. */
export function verdictsOf([first]: readonly string[]): Record<string, string> | null {
  if (first === undefined) return null
  const found = [...first.matchAll(/\b(spf|dkim|dmarc)=(\w+)/giu)].map(([, name = '', verdict = '']) => [
    name.toLowerCase(),
    verdict,
  ])
  return found.length === 0 ? null : (Object.fromEntries(found) as Record<string, string>)
}

/** What SPF, DKIM and DMARC say of a mail that comes in by SMTP; null where nothing can be said. */
export async function verifiedOrigin(
  raw: Buffer,
  { ip, helo, sender }: { ip: string; helo: string; sender: string },
): Promise<Record<string, unknown> | null> {
  const found = await authenticate(raw, { ip, helo, sender, mta: 'switchboard' }).catch(() => null)
  if (!found) return null
  const spf = found.spf === false ? undefined : found.spf?.status.result
  const dmarc = found.dmarc === false ? undefined : found.dmarc?.status.result
  return {
    spf: spf ?? 'none',
    dmarc: dmarc ?? 'none',
    dkim: found.dkim.results.map(({ status, signingDomain }) => `${signingDomain}=${status.result}`),
  }
}
