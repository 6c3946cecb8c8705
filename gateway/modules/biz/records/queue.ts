import type { EntityService } from '../../../entities'
import { moment, text } from './sides'

/** States in which messages of a queue still wait. */
const OPEN = ['waiting', 'running', 'paused']

/** How long the oldest message of a queue waits, while one looks. */
export const apiQueueService: EntityService = {
  computeFields(records, { now }) {
    for (const record of records) {
      const waits = Number(record.waiting) > 0 && OPEN.includes(text(record.status))
      record.oldestSec = waits ? Math.max(0, Math.floor((now.getTime() - moment(record.enqueuedAt)) / 1000)) : null
    }
  },
}
