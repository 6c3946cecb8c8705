/** Supplier relations: what its documents do not say, the weekly rating. */
import type { GatewayModule } from '../module'
import { demo } from './demo'
import { evenly } from './evenly'
import { rateAll, ratingReport } from './jobs/level/job'

export { levelOf, termsPart, type LevelParts } from './level'

/** Supplier relations in the gateway. */
export const srm: GatewayModule = {
  services: ({ engine }) => {
    engine.registerVerb('srm.evenly', evenly)
    return {}
  },
  demo,
  rules: ({ database }) => ({
    'srm.level': { effect: async (rule) => ratingReport(await rateAll(database, rule)) },
  }),
}
