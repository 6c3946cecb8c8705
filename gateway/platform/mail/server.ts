import { publicAddressOf } from '../outside'

/** A server that mail is fetched from or handed to, and how one signs in there. */
export interface MailServer {
  host: string
  /** Empty: the one of the kind of server. */
  port: number | null
  security: 'tls' | 'starttls' | 'none'
  /** Who signs in; null: nobody. */
  signIn: { user: string; pass: string } | { user: string; accessToken: string } | null
  /** Milliseconds for which it may bring next to nothing. */
  patience: number
  /** Hosts in private networks that are allowed. */
  privateHosts: readonly string[]
}

/** Where a server is reached: by the address that was checked. @throws PrivateAddressError */
export const reachedAt = ({ host, privateHosts }: MailServer): Promise<string> =>
  publicAddressOf(host, privateHosts, 'MAIL_PRIVATE_HOSTS')
