/** Mail: mailboxes of the portal and of servers, what comes, what goes, and the lists beside it. */
import type { MailListener } from '../../platform/mail'
import type { GatewayModule } from '../module'
import { mailSettings } from './configuration'
import { mailDemo } from './demo'
import { mailParts, openedParts } from './parts'
import { ABSENCE_LINE } from './receive/absence'
import { listenerOf } from './receive/listen'
import { SyncRunner } from './imap/runner'
import { accountService } from './services/account'
import { followService } from './services/follow'
import { leaverHook } from './services/leaver'
import { listService } from './services/lists'
import { outgoingService } from './services/outgoing'
import { sharedService } from './services/shared'
import { FILING_LINE, SENDING_LINE, UPSTREAM_LINE, WAKING_LINE } from './send/outgoing'
import { mailTables } from './tables'

/** What runs beside calls in this gateway. */
interface Running {
  listener: MailListener | null
  runner: SyncRunner | null
}

const running = new WeakMap<object, Running>()

/** Mail in the gateway. */
export const mail: GatewayModule = {
  settings: mailSettings,
  tables: mailTables,
  steps: [{ id: '2026-11-mail-searched-in-small-letters', run: 'update mail_message set search_text = lower(search_text)' }],
  demo: mailDemo,
  services: ({ engine }) => ({
    'mail.account': accountService(() => openedParts(engine).secrets),
    'mail.follow': followService(() => openedParts(engine)),
    'mail.list': listService(engine),
    'mail.outgoing': outgoingService(() => openedParts(engine).queue),
    'mail.shared': sharedService,
  }),
  hooks: () => ({ 'sys.staff': leaverHook }),
  start: async (moduleParts) => {
    const parts = mailParts(moduleParts)
    const { database, configuration, settings, queue, now, onError } = parts
    await parts.secrets.adopt(database, now())
    for (const line of [SENDING_LINE, FILING_LINE, UPSTREAM_LINE, WAKING_LINE, ABSENCE_LINE]) await queue.work(line)
    const begun: Running = { listener: null, runner: null }
    running.set(moduleParts.engine, begun)
    if (configuration.jobs && settings.mailListen) {
      const listener = listenerOf(parts)
      const { host, port } = settings.mailListen
      await listener
        .listen(host, port)
        .then(() => (begun.listener = listener))
        .catch((error: unknown) => onError(error, 'mail by SMTP is not taken: set MAIL_SMTP_LISTEN to a free port, or to off'))
    }
    if (configuration.jobs) {
      begun.runner = new SyncRunner(parts)
      await begun.runner.start()
    }
  },
  stop: async ({ engine }) => {
    const begun = running.get(engine)
    await Promise.all([begun?.listener?.stop(), begun?.runner?.stop()])
  },
}
