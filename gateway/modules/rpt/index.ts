/** Reports: facts of hours and days, made from the records of traffic. */
import type { GatewayModule } from '../module'
import { rptDemo } from './demo'
import { factGuards } from './facts/guards'
import { verifyFacts } from './verify'

export const rpt: GatewayModule = {
  steps: factGuards,
  verify: verifyFacts,
  demo: rptDemo,
}
