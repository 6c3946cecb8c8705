import type { Page } from '@playwright/test'

/** Parts of the shell that its tests look at. */
export const tabs = (page: Page) => page.locator('.sb-tab')
export const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name, exact: true })
export const menu = (page: Page, name: string) => page.locator('.sb-side-menu').getByText(name, { exact: true })

/** The page says other things about its environment than the gateway does: addresses of a mobile site or of modules outside. */
export async function configured(page: Page, more: object): Promise<void> {
  await page.route(/^http:\/\/localhost:\d+\/(?!v2\/|auth\/|assets\/)[^?]*(\?.*)?$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(
      /(<script id="switchboard-configuration"[^>]*>)([\s\S]*?)(<\/script>)/,
      (_all, start: string, block: string, end: string) =>
        start + JSON.stringify({ ...(JSON.parse(block) as object), ...more }) + end,
    )
    await route.fulfill({ response, body })
  })
}
