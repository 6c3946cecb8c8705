import { duration, hostNames, listenAddress, secret, setting, type Setting } from '../../platform/configuration'
import { oauthClients, type OauthClients } from '../../platform/mail'

/** What an operator tells about mail. */
export const mailSettings = {
  mailKey: secret(
    'MAIL_KEY',
    'Key of 32 bytes (base64) that passwords of mailboxes are encrypted by. Without one the gateway makes `mail.key` in its data folder.',
  ),
  mailKeyBefore: secret('MAIL_KEY_BEFORE', 'The key before `MAIL_KEY`: what was encrypted by it is encrypted anew at the start.'),
  mailOauthClients: {
    ...{ variable: 'MAIL_OAUTH_CLIENTS', kind: oauthClients, default: '{}', secret: true },
    meaning:
      'The portal as a client of providers whose mailboxes sign in by OAuth2 (Exchange Online, Gmail), by their IMAP host.',
  } satisfies Setting<OauthClients>,
  mailPrivateHosts: setting(
    'MAIL_PRIVATE_HOSTS',
    hostNames,
    'none',
    'Mail servers on this machine or in private networks that mailboxes may be connected to, e.g. `mail.internal,10.0.0.5`.',
  ),
  mailPatience: setting(
    'MAIL_PATIENCE',
    duration,
    '60s',
    'How long a mail server may bring next to nothing in the middle of something before its mailbox is tried again later.',
  ),
  mailListen: setting(
    'MAIL_SMTP_LISTEN',
    listenAddress,
    '127.0.0.1:2525',
    'Where the portal takes mail for its own addresses by SMTP; `off`, or a gateway without `JOBS`, takes none.',
  ),
} as const
