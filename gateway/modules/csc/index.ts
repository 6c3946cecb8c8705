/** Customer service: clues as sales works on them. Registers its services with the entity engine. */
import type { EntityEngine } from '../../entities'
import { clueServices } from './services/clue'

export { qualityOf, respondBy, scoreOf, type ClueFacts, type ClueQuality } from './rules/clue'

/** Registers the services that csc entities and transitions name; days are counted in the company's zone. */
export function registerCsc(engine: EntityEngine, { timeZone }: { timeZone: string }): void {
  for (const [name, service] of Object.entries(clueServices(timeZone))) engine.registerEntityService(name, service)
}
