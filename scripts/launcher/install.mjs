import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runChild } from './children.mjs'
import { LauncherError, step } from './terminal.mjs'

/** Installs the packages of the lockfile when they are missing or other versions. */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return
  const { code, output } = await step('installing the packages', () =>
    runNpm(root, ['ci', '--no-audit', '--no-fund', '--loglevel=error']),
  )
  if (code === 0) return
  const reason = output
    .split('\n')
    .filter((line) => /npm (error|ERR!)/.test(line) && !/complete log|debug-0/.test(line))
    .slice(0, 4)
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, ''))
    .join(' ')
  const hint = /ENOSPC/.test(output)
    ? 'the disk is full; free some space'
    : /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED/.test(output)
      ? 'the package registry cannot be reached; check the network'
      : reason || `npm ended with ${code}`
  throw new LauncherError(`The packages cannot be installed: ${hint}.`, 69)
}

/** Whether node_modules holds what the lockfile asks for. Packages for other platforms may be missing. */
function isInstalled(root) {
  const installedFile = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installedFile)) return false
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
    return Object.entries(wanted).every(([path, { version, optional, link }]) => {
      if (path === '' || link) return true
      return installed[path] === undefined ? optional === true : installed[path].version === version
    })
  } catch {
    return false
  }
}

/** Runs npm with this very Node, also when `npm` is not on the path. */
export function runNpm(root, args) {
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  const cli = [process.env.npm_execpath, beside].find((file) => file && file.endsWith('.js') && existsSync(file))
  if (cli) return runChild(process.execPath, [cli, ...args], { cwd: root })
  return runChild(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: root })
}
