/** Toolbox: networks, numbers, exchange rates, addresses, and words that messages may not hold. */
import type { GatewayModule } from '../module'

/** The tools in the gateway. */
export const toolbox: GatewayModule = {}
