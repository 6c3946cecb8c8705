import type { EntityEngine } from '../../entities'
import type { Configuration, ValuesOf } from '../../platform/configuration'
import type { Database } from '../../platform/database'
import { HashedBytes, type FileService } from '../../platform/files'
import type { Queue } from '../../platform/queue'
import type { Papers } from '../../papers'
import { KeptSecrets, SecretKeys } from '../../platform/secrets'
import type { ModuleParts } from '../module'
import { AccessTokens } from '../../platform/mail'
import { mailSettings } from './configuration'

/** What mail is made with, once a gateway. */
export interface MailParts {
  engine: EntityEngine
  database: Database
  configuration: Configuration
  settings: ValuesOf<typeof mailSettings>
  queue: Queue
  files: FileService
  papers: Papers
  /** Messages as they came. */
  raw: HashedBytes
  /** Passwords and refresh tokens of mailboxes, by their ids. */
  secrets: KeptSecrets
  tokens: AccessTokens
  now: () => Date
  onError: (error: unknown, message: string) => void
}

const known = new WeakMap<EntityEngine, MailParts>()

/** The parts of this gateway. */
export function mailParts(parts: ModuleParts): MailParts {
  const there = known.get(parts.engine)
  if (there) return there
  const { engine, database, configuration, queue, files, papers, now, onError } = parts
  const settings = configuration.of(mailSettings)
  const { dataDir } = configuration
  const { mailKey: key, mailKeyBefore: before } = settings
  const keys = SecretKeys.open({ dataDir, file: 'mail.key', variable: 'MAIL_KEY', key, before })
  // whoever asks first hears of a wrong one: the start
  keys.catch(() => undefined)
  const secrets = new KeptSecrets(keys, 'mail_secret', 'account_id')
  const made: MailParts = {
    ...{ engine, database, configuration, settings, queue, papers, now, onError },
    files: files.service,
    raw: new HashedBytes(files.store, dataDir, 'mail'),
    secrets,
    tokens: new AccessTokens(settings.mailOauthClients, (id, token) => secrets.keep(database, id, token, now()), now),
  }
  known.set(engine, made)
  return made
}

/** The parts of a gateway that stands: services of entities take them when they are asked. */
export function openedParts(engine: EntityEngine): MailParts {
  const there = known.get(engine)
  if (!there) throw new Error('Mail was asked before the gateway stood.')
  return there
}
