import published from './providers.json'

/** How a provider is reached, and what its mailboxes sign in with; hosts, ports and words as the provider publishes them. */
export interface MailProvider {
  id: string
  name: { zh: string; en: string }
  /** Domains of its own addresses. */
  domains: readonly string[]
  /** Ends of the names of its mail exchangers: domains of companies lead there. */
  mx: readonly string[]
  imapHost: string
  imapPort: number
  imapSecurity: string
  smtpHost: string
  smtpPort: number
  smtpSecurity: string
  authKind: string
  /** The whole address, or what stands before its @. */
  login: string
  /** What has to be done there first. */
  hint: { zh: string; en: string }
}

/** Providers whose settings are known. */
export const PROVIDERS: readonly MailProvider[] = published

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
const isWithin = (name: string, end: string): boolean => name === end || name.endsWith(`.${end}`)

/** The provider of an address, by its domain; else by the exchangers of the domain, where they are known. */
export function providerOf(email: string, exchangers: readonly string[] = []): MailProvider | null {
  const domain = domainOf(email)
  const names = exchangers.map((name) => name.toLowerCase().replace(/\.$/u, ''))
  return (
    PROVIDERS.find(({ domains }) => domains.includes(domain)) ??
    PROVIDERS.find(({ mx }) => names.some((name) => mx.some((end) => isWithin(name, end)))) ??
    null
  )
}

/** How an address is reached: as its provider says, else by the names that most have. */
export function serversOf(email: string, provider: MailProvider | null) {
  if (!provider) {
    const domain = domainOf(email)
    return {
      ...{ imapHost: `imap.${domain}`, imapPort: 993, imapSecurity: 'tls', smtpHost: `smtp.${domain}`, smtpPort: 465 },
      ...{ smtpSecurity: 'tls', authKind: 'password', login: email },
    }
  }
  const { imapHost, imapPort, imapSecurity, smtpHost, smtpPort, smtpSecurity, authKind } = provider
  const login = provider.login === 'local' ? email.slice(0, email.lastIndexOf('@')) : email
  return { imapHost, imapPort, imapSecurity, smtpHost, smtpPort, smtpSecurity, authKind, login }
}
