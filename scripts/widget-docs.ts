/**
 * Writes docs/widgets.md from the definitions of the widgets; a test fails while the page is stale.
 * Run: npx tsx scripts/widget-docs.ts
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'vite'

/** The definitions stand beside style sheets and are found by import.meta.glob: Vite reads them as the portal's build does. */
async function write(): Promise<void> {
  const server = await createServer({ server: { middlewareMode: true, ws: false }, appType: 'custom', logLevel: 'warn' })
  try {
    const page = await server.ssrLoadModule('/scripts/widgetPage.ts')
    writeFileSync(new URL('../docs/widgets.md', import.meta.url), String(page.widgetPage()))
  } finally {
    await server.close()
  }
}

void write()
