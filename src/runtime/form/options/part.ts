/** What a form asks the gateway for while it is open; loaded with the first form that does. */
export { followOptions } from './choosing'
export { createFacts } from './facts'
export { createRates } from './rates'
