import { serveHarness } from './serveHarness'
import { test as base } from './sharedWindow'

/** Tests on a page of their own (tests/e2e/support/<name>), which is built and served once per worker. */
export const test = base.extend<object, { harness: (name: 'harness' | 'formHarness') => Promise<string> }>({
  harness: [
    async ({}, provide) => {
      const served = new Map<string, ReturnType<typeof serveHarness>>()
      await provide(async (name) => {
        const known = served.get(name) ?? serveHarness(name)
        served.set(name, known)
        return (await known).address
      })
      for (const one of served.values()) await (await one).stop()
    },
    { scope: 'worker' },
  ],
})

export { expect } from '@playwright/test'
export { seriousFaults, still } from './axe'
