import { newId } from '../../gateway/platform/database'
import { systemContext } from '../../gateway/platform/http'
import type { TestGateway } from './gateway'

/** Lets postings take rates that are up to so many days old: for tests that state a rate where it changes, and none for every day. */
export const ratesMayBeOld = ({ gateway, clock }: TestGateway, maxAgeDays = 800): Promise<void> =>
  gateway.engine.transaction(systemContext({ now: clock.now() }), (entities) =>
    entities.insertMany('sys.ruleSet', [
      {
        ...{ id: newId(), key: 'sys.rates', versionNo: 1, params: { maxAgeDays }, effectiveFrom: '2020-01-01T00:00:00.000Z' },
        ...{ changeReason: 'A rate holds until the next one', createdAt: '2020-01-01T00:00:00.000Z' },
      },
    ]),
  )
