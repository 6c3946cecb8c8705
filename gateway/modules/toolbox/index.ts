/** Toolbox: networks, numbers, exchange rates, addresses, and words that messages may not hold. */
import type { GatewayModule } from '../module'
import { serveAddresses } from './addresses/call'
import { serveNetworks } from './networks/call'
import { serveNumbers } from './numbers/call'
import { serveRates } from './rates/call'
import { serveWords } from './words/call'

const TOOLS = [serveNetworks, serveNumbers, serveRates, serveAddresses, serveWords]

/** The tools in the gateway. */
export const toolbox: GatewayModule = {
  serve: (parts) => {
    for (const serve of TOOLS) serve(parts)
  },
}
