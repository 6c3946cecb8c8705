/** Customer service: clues as sales works on them. */
import type { GatewayModule } from '../module'
import { cscDemo } from './demo/clues'
import { clueService, deriveRespondBy } from './services/clue'

/** Customer service in the gateway; days are counted in the company's zone. */
export const csc: GatewayModule = {
  services: ({ engine }) => {
    engine.registerDerivation('csc.respondBy', deriveRespondBy)
    return { 'csc.clue': clueService }
  },
  demo: cscDemo,
}
