/** Customer service: clues as sales works on them. */
import type { GatewayModule } from '../module'
import { cscDemo } from './demo/clues'
import { clueServices } from './services/clue'

/** Customer service in the gateway; days are counted in the company's zone. */
export const csc: GatewayModule = {
  services: ({ configuration }) => clueServices(configuration.companyTimeZone),
  demo: cscDemo,
}
