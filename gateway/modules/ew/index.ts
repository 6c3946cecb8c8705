/** Early warning: indicators that are measured by the clock, rules over them, alarms. */
import type { GatewayModule } from '../module'
import { ewDemo } from './demo'
import { library } from './library'
import { alarmService, configuredService, indicatorService, ruleService } from './services'

/** Early warning in the gateway. */
export const ew: GatewayModule = {
  steps: [library],
  services: ({ engine }) => ({
    'ew.alarm': alarmService(engine),
    'ew.indicator': indicatorService(engine),
    'ew.configured': configuredService(engine),
    'ew.rule': ruleService,
  }),
  demo: ewDemo,
}
