import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runChild } from './children.mjs'
import { findProgram, installPackages, knowsPackage } from './packages.mjs'
import { LauncherError } from './terminal.mjs'

/** Chromium without windows: what a test needs, for a sixth less of the processor. */
const HEADLESS = '/usr/bin/chromium-headless-shell'
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The browser of the end-to-end tests: CHROMIUM_PATH, else the one without windows, which apt-get installs when we may and it knows it; else
 * one that the system has or that Playwright installed, or that apt-get installs.
 */
export async function findChromium(root) {
  const named = process.env.CHROMIUM_PATH
  if (named && existsSync(named)) return named
  const known = () => [HEADLESS, ...PLACES, ownBrowser(root)].find((path) => path && existsSync(path))
  if (known() !== HEADLESS && (await knowsPackage('chromium-headless-shell'))) await installPackages('chromium-headless-shell')
  const found = known()
  if (found) return found
  await installPackages('chromium')
  const installed = known()
  if (installed) return installed
  throw new LauncherError(
    'The browser tests need Chromium, and none is here: install it (for example "npx playwright install chromium"), or name it in CHROMIUM_PATH.',
    69,
  )
}

/**
 * Sees to it that the browser has a font with Chinese letters, as those have who use the portal: without one each letter is a box of
 * another width. Windows and macOS bring theirs.
 * @returns {Promise<string | undefined>} what to tell when there is none
 */
export async function ensureChineseFont() {
  if (process.platform !== 'linux' || (await hasChineseFont())) return undefined
  await installPackages('fontconfig', 'fonts-noto-cjk')
  if (await hasChineseFont()) return undefined
  return 'without a Chinese font: the browser draws boxes instead of letters. Install one (Debian: "apt-get install fonts-noto-cjk").'
}

async function hasChineseFont() {
  const list = findProgram('fc-list')
  return list !== undefined && (await runChild(list, [':lang=zh-cn', 'family'])).output.trim() !== ''
}

function ownBrowser(root) {
  try {
    return createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  } catch {
    return undefined
  }
}
