import type { EntityEngine } from '../../entities'
import type { Configuration, ValuesOf } from '../../platform/configuration'
import type { Database } from '../../platform/database'
import type { FileService } from '../../platform/files'
import type { Queue } from '../../platform/queue'
import type { ModuleParts } from '../module'
import { mailSettings } from './configuration'
import { RawMessages } from './raw'
import { Secrets } from './secrets'

/** What mail is made with, once a gateway. */
export interface MailParts {
  engine: EntityEngine
  database: Database
  configuration: Configuration
  settings: ValuesOf<typeof mailSettings>
  queue: Queue
  files: FileService
  raw: RawMessages
  /** Read once; a key that is wrong is told at the start. */
  secrets: Promise<Secrets>
  now: () => Date
  onError: (error: unknown, message: string) => void
}

const known = new WeakMap<EntityEngine, MailParts>()

/** The parts of this gateway. */
export function mailParts(parts: ModuleParts): MailParts {
  const there = known.get(parts.engine)
  if (there) return there
  const { engine, database, configuration, queue, files, now, onError } = parts
  const settings = configuration.of(mailSettings)
  const { dataDir } = configuration
  const made: MailParts = {
    ...{ engine, database, configuration, settings, queue, now, onError },
    files: files.service,
    raw: new RawMessages(files.store, dataDir),
    secrets: Secrets.open({ dataDir, key: settings.mailKey, before: settings.mailKeyBefore }),
  }
  // whoever asks first hears of it; before that nobody waits
  made.secrets.catch(() => undefined)
  known.set(engine, made)
  return made
}

/** The parts of a gateway that stands: services of entities take them when they are asked. */
export function openedParts(engine: EntityEngine): MailParts {
  const there = known.get(engine)
  if (!there) throw new Error('Mail was asked before the gateway stood.')
  return there
}
