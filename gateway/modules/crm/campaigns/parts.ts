import type { EntityEngine } from '../../../entities'
import type { Configuration } from '../../../platform/configuration'
import type { Database } from '../../../platform/database'
import { HashedBytes } from '../../../platform/files'
import type { Queue } from '../../../platform/queue'
import type { ModuleParts } from '../../module'

/** The queue's line of campaigns that are sent; the key is the campaign. */
export const CAMPAIGN_LINE = 'crm.campaigns'
/** The line of mail that is to be sent (module mail); the key is the mail. */
export const MAIL_LINE = 'mail.sending'

/** What campaigns are sent with, once a gateway. */
export interface CampaignParts {
  engine: EntityEngine
  database: Database
  queue: Queue
  /** Messages as they are sent, where mail keeps them. */
  raw: HashedBytes
  /** Origin under which people outside reach the portal; empty: none, nothing is followed. */
  publicBase: string
  timeZone: string
  now: () => Date
}

const known = new WeakMap<EntityEngine, CampaignParts>()

/** The parts of this gateway. */
export function campaignParts({ engine, database, queue, files, configuration, now }: ModuleParts): CampaignParts {
  const there = known.get(engine)
  if (there) return there
  const made: CampaignParts = {
    ...{ engine, database, queue, now },
    raw: new HashedBytes(files.store, configuration.dataDir, 'mail'),
    publicBase: publicBaseOf(configuration),
    timeZone: configuration.companyTimeZone,
  }
  known.set(engine, made)
  return made
}

/** The parts of a gateway that stands: services of entities take them when they are asked. */
export function openedCampaigns(engine: EntityEngine): CampaignParts {
  const there = known.get(engine)
  if (!there) throw new Error('Campaigns were asked before the gateway stood.')
  return there
}

/** The address that mail from outside may name; empty where the operator has named none. */
const publicBaseOf = ({ publicUrls }: Configuration): string => publicUrls[0] ?? ''
