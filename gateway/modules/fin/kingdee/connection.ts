import type { EntityEngine } from '../../../entities'
import type { ModuleServiceParts } from '../../module'
import { finSettings } from '../configuration'
import { KingdeeClient, type KingdeeConnection } from './client'

/** What an operator told of Kingdee. */
export interface KingdeeSettings {
  kingdeeUrl: string | undefined
  kingdeeAccount: string | undefined
  kingdeeUser: string | undefined
  kingdeePassword: string | undefined
}

/** Where Kingdee is, once address, account set and user are set. */
export function connectionOf(settings: KingdeeSettings): KingdeeConnection | undefined {
  const { kingdeeUrl: url, kingdeeAccount: account, kingdeeUser: user, kingdeePassword: password } = settings
  return url && account && user ? { url: url.replace(/\/+$/, ''), account, user, password: password ?? '' } : undefined
}

const known = new WeakMap<EntityEngine, KingdeeClient>()

/** Kingdee, as all verbs of this gateway reach it; undefined while it is not connected. */
export function kingdeeOf({
  engine,
  configuration,
}: Pick<ModuleServiceParts, 'engine' | 'configuration'>): KingdeeClient | undefined {
  const connection = connectionOf(configuration.of(finSettings))
  if (!connection) return undefined
  const client = known.get(engine) ?? new KingdeeClient(connection)
  known.set(engine, client)
  return client
}
