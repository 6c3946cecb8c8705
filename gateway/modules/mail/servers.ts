import type { Executor } from '../../platform/database'
import type { MailServer } from '../../platform/mail'
import type { Account } from './accounts'
import type { MailParts } from './parts'

export type ServerParts = Pick<MailParts, 'settings' | 'secrets' | 'tokens'>

/** The server that a mailbox is read from or sends by, with the secret to sign in with. */
export async function serverOf(
  { settings, secrets, tokens }: ServerParts,
  db: Executor,
  account: Account,
  kind: 'imap' | 'smtp',
): Promise<MailServer> {
  const secret = await secrets.of(db, account.id)
  const user = account.login ?? account.address
  const isToken = account.authKind === 'oauth2'
  const [host, port, security] =
    kind === 'imap'
      ? [account.imapHost, account.imapPort, account.imapSecurity]
      : [account.smtpHost, account.smtpPort, account.smtpSecurity]
  return {
    ...{ host: host ?? '', port, security: security === 'starttls' || security === 'none' ? security : 'tls' },
    // tokens are of the provider, whom the server for reading names
    signIn:
      secret === null
        ? null
        : isToken
          ? { user, accessToken: await tokens.of(account.id, account.imapHost ?? '', secret) }
          : { user, pass: secret },
    ...{ patience: settings.mailPatience, privateHosts: settings.mailPrivateHosts },
  }
}
