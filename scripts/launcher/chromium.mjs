import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runChild } from './children.mjs'
import { LauncherError } from './terminal.mjs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The browser of the end-to-end tests: CHROMIUM_PATH, one that the system has, one that Playwright installed, else one
 * that apt-get installs when we may.
 */
export async function findChromium(root) {
  const known = () => [process.env.CHROMIUM_PATH, ...PLACES, ownBrowser(root)].find((path) => path && existsSync(path))
  const found = known()
  if (found) return found
  if (existsSync('/usr/bin/apt-get')) {
    const before = process.getuid?.() === 0 ? [] : ['sudo', '-n']
    const [command, ...rest] = [...before, 'apt-get', 'install', '-y', '-q', 'chromium', 'fonts-noto-cjk']
    const first = await runChild(command, rest)
    if (first.code !== 0) {
      const [updater, ...update] = [...before, 'apt-get', 'update', '-q']
      await runChild(updater, update)
      await runChild(command, rest)
    }
    const installed = known()
    if (installed) return installed
  }
  throw new LauncherError(
    'The browser tests need Chromium, and none is here: install it (for example "npx playwright install chromium"), or name it in CHROMIUM_PATH.',
    69,
  )
}

function ownBrowser(root) {
  try {
    return createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  } catch {
    return undefined
  }
}
