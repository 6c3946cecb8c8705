import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** A Chromium of the system is used where there is one; else the one that `npx playwright install chromium` brings. */
const system = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: 'tests/e2e',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 2,
  // A machine that others use too may stall once; a fault of ours fails twice.
  retries: process.env.CI ? 1 : 0,
  // Pictures are for people; LOOK=1 makes them.
  ...(process.env.LOOK ? {} : { grepInvert: /@look/ }),
  reporter: 'line',
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    trace: process.env.CI ? 'on-first-retry' : 'off',
    launchOptions: { ...(existsSync(system) ? { executablePath: system } : {}), args: ['--no-sandbox'] },
  },
})
