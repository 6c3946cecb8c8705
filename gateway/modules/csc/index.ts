/** Customer service: clues as sales works on them. */
import type { GatewayModule } from '../module'
import { clueServices } from './services/clue'

export { qualityOf, respondBy, scoreOf, type ClueFacts, type ClueQuality } from './rules/clue'

/** Customer service in the gateway; days are counted in the company's zone. */
export const csc: GatewayModule = { services: ({ configuration }) => clueServices(configuration.companyTimeZone) }
