import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/**
 * A Chromium of the system is used where there is one, rather the one without windows: it needs a sixth less of the processor. Else it is
 * the one that `npx playwright install chromium` brings.
 */
const system = [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

/**
 * Chromium reads this switch once, so it repeats what Playwright itself switches off. Added are the pop-ups of the address bar:
 * each new page would load two pages of the browser for them, which is half of the time that opening a page takes.
 */
const SWITCHED_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

const WEEK = 'story/week.spec.ts'
const FAULTS = 'faults/*.spec.ts'
/** Parts of the runtime on pages of their own. */
const PARTS = /e2e[\\/][^\\/]+\.spec\.ts$/

/** Long stories and large files are of the full run; `npm test` sets the seed of what it walks, and may name some of them. */
const NAMED = (process.env.WALK_WHOLE ?? '').match(/[^/,]+(?=\.full\.spec\.)/g) ?? []
const LEFT_OUT = process.env.WALK_SEED ? [`**/!(${['-', ...NAMED].join('|')}).full.spec.ts`] : []

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/demoData.ts',
  timeout: 180_000,
  expect: { timeout: 40_000 },
  // A third of a browser test is waiting: for the next frame, for the next look of an assertion.
  workers: 3,
  // Tests that share a gateway share workers. The longest of all begins first.
  projects: [
    { name: 'week', testMatch: WEEK, testIgnore: LEFT_OUT },
    { name: 'parts', testMatch: PARTS, testIgnore: LEFT_OUT },
    { name: 'faults', testMatch: FAULTS, testIgnore: LEFT_OUT },
    { name: 'story', testIgnore: [WEEK, PARTS, FAULTS, ...LEFT_OUT] },
  ],
  // A machine that others use too may stall once; a fault of ours fails twice.
  retries: process.env.CI ? 1 : 0,
  // Pictures are for people; LOOK=1 makes them.
  ...(process.env.LOOK ? {} : { grepInvert: /@look/ }),
  reporter: 'line',
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    // Snapshots would put a script into every frame, also into those that run none, and it stays for the tests that follow.
    trace: process.env.CI ? { mode: 'on-first-retry', snapshots: false } : 'off',
    launchOptions: {
      ...(system === undefined ? {} : { executablePath: system }),
      // nobody looks at what is drawn: emulating a graphics processor only costs time
      args: ['--no-sandbox', '--disable-gpu', `--disable-features=${SWITCHED_OFF.join(',')}`],
    },
  },
})
