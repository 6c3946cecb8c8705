import { systemContext } from '../../../platform/http'
import { MailListener } from '../../../platform/mail'
import { localAccounts, ownDomains } from '../accounts'
import type { MailParts } from '../parts'
import { deliverLocally } from '../send/local'

/** The SMTP listener of the mailboxes here. */
export const listenerOf = ({ engine, queue, database, raw: store, now, onError }: MailParts): MailListener =>
  new MailListener({
    ownDomains: () => ownDomains(database),
    hasMailbox: async (address) => (await localAccounts(database, [address])).length > 0,
    take: async ({ raw, envelope, authResults }) => {
      const rawHash = await store.keep(raw)
      const at = now()
      await engine.transaction(systemContext({ now: at }), async (_entities, tx) => {
        const left = await deliverLocally({ engine, queue }, tx, { raw, rawHash, envelope, authResults }, at)
        if (left.length > 0) throw new Error('A mailbox is not there any more.')
      })
    },
    onError,
  })
