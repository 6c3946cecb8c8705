/** For the gateway: what the portal loads late is there at once. */
import { provideSeldom } from './onDemand'
import { SELDOM } from './seldom'

provideSeldom(SELDOM)
