/** Toolbox: networks, numbers, exchange rates, addresses, and words that messages may not hold. */
import type { GatewayModule } from '../module'

/** The tools in the gateway: they are calls. */
export const toolbox: GatewayModule = {}
