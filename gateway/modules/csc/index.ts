/** Customer service: clues as sales works on them, whom each is given to, who may not register; feedback and ratings of staff. */
import type { GatewayModule } from '../module'
import { cscDemo } from './demo/clues'
import { ratingForm } from './feedback/form'
import { popupConfigService } from './feedback/popups'
import { decideLookup } from './services/assign'
import { clueService, deriveRespondBy } from './services/clue'
import { registerBlackService, testRegistration } from './services/registerBlack'
import { simulate } from './services/simulate'

/** Customer service in the gateway; days are counted in the company's zone. */
export const csc: GatewayModule = {
  services: ({ engine, configuration }) => {
    engine.registerDerivation('csc.respondBy', deriveRespondBy)
    engine.registerFunction('csc.decide', decideLookup)
    return {
      'csc.clue': clueService,
      'csc.registerBlack': registerBlackService,
      'csc.popupConfig': popupConfigService(configuration.companyTimeZone),
    }
  },
  rules: ({ engine, database }) => ({
    'csc.assign': { effect: (_, { now }) => simulate(database, now) },
    'csc.registerBlack': {
      test: (input) => testRegistration(database, input, (kind) => engine.dictionaryLabel('blackKind', kind)),
    },
  }),
  adaptPage: ratingForm,
  demo: cscDemo,
}
