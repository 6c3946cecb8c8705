import type { DemoPart } from '../../../demo'
import { makeFoundations } from './base'
import { fillMoney } from './money'

/** Money of the demo company. */
export const finDemo: DemoPart = { make: makeFoundations, filled: fillMoney }
