import type { EntityEngine } from '../../entities'
import type { ValuesOf } from '../../platform/configuration'
import type { ModuleParts } from '../module'
import { Chats } from './chats'
import { aiSettings } from './configuration'
import { EmbeddedEngine } from './embedded'
import { ModelEngine } from './model/engine'
import { Running } from './running'

/** What the assistant of one gateway is made of. */
export interface AiParts extends ModuleParts {
  settings: ValuesOf<typeof aiSettings>
  chats: Chats
  running: Running
  embedded: EmbeddedEngine
  /** With an endpoint in the configuration. */
  model: ModelEngine | undefined
}

const known = new WeakMap<EntityEngine, AiParts>()

/** The parts of this gateway. */
export function aiParts(parts: ModuleParts): AiParts {
  const there = known.get(parts.engine)
  if (there) return there
  const chats = new Chats(parts.engine, parts.database)
  const settings = parts.configuration.of(aiSettings)
  const embedded = new EmbeddedEngine(parts)
  const made: AiParts = {
    ...parts,
    settings,
    chats,
    running: new Running(chats, parts.now, parts.onError),
    embedded,
    model: settings.aiBaseUrl === undefined ? undefined : new ModelEngine(parts, settings, embedded.knowledge),
  }
  known.set(parts.engine, made)
  return made
}

/** Breaks off what a gateway answers, if it ever was asked. */
export const stopAnswers = async (engine: EntityEngine): Promise<void> => known.get(engine)?.running.close()

/** Where the calls of the assistant stand, and the key that all of them take (R340). */
export const AI = { base: '/v2/ai/api', key: 'shell:aiChat' } as const
