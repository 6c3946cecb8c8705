import { walksOf } from '../../support/walkPart'
import { test as adminTest } from './adminTest'

/** The everyday changes of docs/admin.md, "Change 01: …": `npm test` walks a part of them. Other tests beside them always run. */
export const test = adminTest.extend<{ walked: void }>({
  walked: [
    async ({}, provide, info) => {
      const number = /^Change (\d\d):/.exec(info.title)?.[1]
      const isWalked = walksOf(info.file).partOf('everyday changes', 1 / 3)
      info.skip(number !== undefined && !isWalked(number), 'The seed chose other changes.')
      await provide()
    },
    { auto: true },
  ],
})
