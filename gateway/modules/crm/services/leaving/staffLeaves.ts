import type { EntityEngine, EntityService } from '../../../../entities'
import { handOver } from './handOver'

/** When a member of staff leaves, what nobody took over in the hand-over goes to the pools: nothing stays with somebody who is gone. */
export function staffLeaves(engine: EntityEngine, timeZone: string): EntityService {
  return {
    async afterEffect({ entities, tx, context, transition, before }) {
      if (transition.id === 'leave')
        await handOver({ engine, entities, tx, context, timeZone }, before, { mode: 'pool', successorIds: [] })
    },
  }
}
