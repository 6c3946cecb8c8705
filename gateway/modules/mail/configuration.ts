import { secret, setting } from '../../platform/configuration'

/** Where a server of ours listens; `off`: nowhere. */
const listenAt = {
  label: 'host:port \\| off',
  read(text: string): { host: string; port: number } | null {
    if (text.toLowerCase() === 'off') return null
    const found = /^(?:\[([0-9a-fA-F:]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text)
    const port = Number(found?.[3])
    if (!found || port > 65_535) throw new Error('must be host:port, or off')
    return { host: (found[1] ?? found[2])!, port }
  },
}

const hosts = {
  label: 'hosts, separated by commas',
  read: (text: string): readonly string[] => (text === 'none' ? [] : text.split(',').map((host) => host.trim().toLowerCase())),
}

/** What an operator tells about mail. */
export const mailSettings = {
  mailKey: secret(
    'MAIL_KEY',
    'Key of 32 bytes (base64) that passwords of mailboxes are encrypted by. Without one the gateway makes `mail.key` in its data folder.',
  ),
  mailKeyBefore: secret('MAIL_KEY_BEFORE', 'The key before `MAIL_KEY`: what was encrypted by it is encrypted anew at the start.'),
  mailPrivateHosts: setting(
    'MAIL_PRIVATE_HOSTS',
    hosts,
    'none',
    'Mail servers on this machine or in private networks that mailboxes may be connected to, e.g. `mail.internal,10.0.0.5`.',
  ),
  mailListen: setting(
    'MAIL_SMTP_LISTEN',
    listenAt,
    '127.0.0.1:2525',
    'Where the portal takes mail for its own addresses by SMTP; `off` takes none..',
  ),
} as const
