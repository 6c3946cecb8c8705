import type { Caller } from '../../tests/support/gateway'

interface Servers {
  address: string
  imapPort: number
  smtpPort: number
  password: string
  kind: 'personal' | 'shared'
}

/** Binds a mailbox of servers on this machine; answers its id. */
export async function bind(who: Caller, { address, imapPort, smtpPort, password, kind }: Servers): Promise<string> {
  const { code, msg, data } = await who.post<{ id: string }>('/v2/mail/account/save', {
    ...{
      address,
      displayName: address,
      kind,
      transport: 'imapSmtp',
      authKind: 'password',
      login: address,
      secret: password,
      dailyLimit: 100_000,
    },
    ...{ imapHost: '127.0.0.1', imapPort, imapSecurity: 'none', smtpHost: '127.0.0.1', smtpPort, smtpSecurity: 'none' },
  })
  if (code !== 0) throw new Error(`${address} cannot be bound: ${msg}`)
  return data.id
}

/** What the mailboxes of somebody say of themselves. */
export async function statesOf(who: Caller): Promise<{ accountId: string; state: string; syncError: string | null }[]> {
  const { data } = await who.get<{ accounts: { accountId: string; state: string; syncError: string | null }[] }>(
    '/v2/emailbox/account/staff/state',
  )
  return data.accounts
}

/** Lets go of mailboxes, so that nothing of them runs beside what comes next. */
export async function unbind(who: Caller, ids: readonly string[]): Promise<void> {
  await who.post('/v2/mail/account/stateUpdate', { ids, transition: 'unbind', values: {} })
}
