import type { DemoPart } from '../../../demo'
import { fillMail } from './fill'
import { makeMailboxes } from './mailboxes'

/** Mail of the demo company. */
export const mailDemo: DemoPart = { make: makeMailboxes, settled: [fillMail] }
