import type { Host } from '../../../headless/host'

const ACCOUNT = '/v2/mail/account'
const LOOK_EVERY = 1_000
const LOOKS = 60

/** What one says of a mailbox. */
export interface Binding {
  address: string
  displayName: string
  transport: 'local' | 'imapSmtp'
  imapHost: string
  imapPort: number
  imapSecurity: string
  smtpHost: string
  smtpPort: number
  smtpSecurity: string
  authKind: string
  login: string
  secret: string
}

interface Account {
  id: string
  version: number
  state: string
  syncError: string | null
}

const saved = (binding: Binding): object => {
  const { address, displayName, transport, secret, login, ...servers } = binding
  const own = { address, displayName, kind: 'personal', transport }
  return transport === 'local' ? own : { ...own, ...servers, login: login || address, ...(secret === '' ? {} : { secret }) }
}

/** Saves a mailbox, anew after a fault, and waits for what its server says. Answers its id, and why it does not work; null as reason: it works. */
export async function bindAccount(
  host: Host,
  binding: Binding,
  before: string | null,
  signal: AbortSignal,
): Promise<{ id: string; outcome: 'works' | 'failing' | 'slow'; reason: string }> {
  const stored = before === null ? null : await viewed(host, before)
  const { address: _address, kind: _kind, transport: _transport, ...changed } = saved(binding) as Record<string, unknown>
  const body = stored ? { ...changed, id: stored.id, version: stored.version } : saved(binding)
  const { id, version: since } = await host.request<{ id: string; version: number }>({
    method: 'POST',
    path: `${ACCOUNT}/save`,
    body,
  })
  if (binding.transport === 'local') return { id, outcome: 'works', reason: '' }
  await host.request({ method: 'POST', path: '/v2/emailbox/receive/sync', body: { accountIds: [id] } })
  for (let look = 0; look < LOOKS && !signal.aborted; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    const { state, syncError, version } = await viewed(host, id)
    if (state === 'active') return { id, outcome: 'works', reason: '' }
    // the fault before is no answer to what was changed: the next one makes another version
    if (state === 'failing' && version > since) return { id, outcome: 'failing', reason: inWords(host, syncError) }
  }
  return { id, outcome: 'slow', reason: '' }
}

/** What is wrong is kept in both languages. */
const inWords = ({ locale }: Host, syncError: string | null): string => {
  const [zh = '', en = zh] = (syncError ?? '').split(' / ')
  return locale === 'zh' ? zh : en
}

const viewed = async (host: Host, id: string): Promise<Account> =>
  (await host.request<{ record: Account }>({ method: 'GET', path: `${ACCOUNT}/view/${encodeURIComponent(id)}` })).record
