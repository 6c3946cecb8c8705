import { test as base, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { quickMotion } from './quickMotion'

/**
 * Browser profiles of a worker, by a name for what they are for. Scripts of a page are compiled once and come from the
 * cache afterwards, which is most of the time that a page takes.
 */
export interface SharedWindows {
  /** A profile with all its pages closed and, at the addresses where they have been, all storage empty. */
  emptied(name: string, options: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>
}

/** Tests that share browser profiles; each finds storage and cookies empty and has a page of its own. */
export const test = base.extend<object, { windows: SharedWindows }>({
  windows: [
    async ({ browser }, provide) => {
      const known = new Map<string, { context: BrowserContext; origins: Set<string> }>()
      const make = async (options: BrowserContextOptions) => {
        const context = await browser.newContext(options)
        quickMotion(context)
        const origins = new Set<string>()
        context.on('page', (page) => {
          page.on('framenavigated', (frame) => {
            const { origin, protocol } = new URL(frame.url())
            if (protocol.startsWith('http')) origins.add(origin)
          })
        })
        return { context, origins }
      }
      await provide({
        async emptied(name, options) {
          const { context, origins } = known.get(name) ?? (await make(options))
          known.set(name, { context, origins })
          for (const page of context.pages()) await page.close()
          await context.clearCookies()
          const page = await context.newPage()
          await emptyStorage(page, origins)
          return { context, page }
        },
      })
      for (const { context } of known.values()) await context.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ windows, locale, viewport }, provide) => {
    const options = { locale, viewport }
    const { page, context } = await windows.emptied(JSON.stringify(options), options)
    await provide(page)
    for (const open of context.pages()) await open.close()
  },
  context: async ({ page }, provide) => provide(page.context()),
})

/** Empties what the pages of these addresses have kept. */
async function emptyStorage(page: Page, origins: Iterable<string>): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const origin of origins)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await session.detach()
}
