import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { runChild } from './children.mjs'
import { findProgram, installPackages } from './packages.mjs'
import { LauncherError } from './terminal.mjs'

/**
 * Moments at which a day is unlike others, on the wall clock of the company (Asia/Shanghai) or of `zone`, which the machine stands in
 * then. Where something happens within the minute, each file is begun at that minute (`toTheMinute`).
 * @typedef {{ name: string, at: string, zone?: string, toTheMinute?: boolean }} Moment
 * @type {readonly Moment[]}
 */
export const MOMENTS = [
  { name: 'monday', at: '2027-03-01T09:30:00+08:00' },
  { name: 'tuesday', at: '2027-06-15T00:30:00+08:00' },
  { name: 'wednesday', at: '2027-06-30T18:00:00+08:00' },
  { name: 'thursday', at: '2026-12-31T22:00:00+08:00' },
  { name: 'friday', at: '2027-10-15T12:00:00+08:00' },
  { name: 'saturday', at: '2027-07-31T06:00:00+08:00' },
  { name: 'sunday', at: '2027-01-31T02:30:00+08:00' },
  { name: 'leap-day', at: '2028-02-29T15:00:00+08:00' },
  { name: 'summer-time', at: '2027-03-14T01:58:00-05:00', zone: 'America/New_York', toTheMinute: true },
  { name: 'winter-time', at: '2027-10-31T02:58:00+02:00', zone: 'Europe/Berlin', toTheMinute: true },
  { name: 'before-midnight', at: '2027-04-30T23:59:00+08:00', toTheMinute: true },
  { name: 'after-midnight', at: '2027-05-01T00:01:00+08:00', toTheMinute: true },
]

/** What a file says that starts a gateway with the demo world, or signs in as one of its people at one that was started otherwise. */
const DEMO = /\bstartGateway\b[^]*\bdemo\s*:\s*true\b|\bDEMO_PASSWORD\b/

/** The integration tests that stand on the demo world, which is made anew for the day of the test; from the root of the project. */
export function demoFiles(root) {
  const folder = join('tests', 'integration')
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => file.endsWith('.test.ts') && DEMO.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => file.split(sep).join('/'))
    .sort()
}

/**
 * The environment in which programs believe that it is that moment, and go on from there. Timers keep the true time: only the clock
 * is another one.
 */
export function clockAt({ at, zone }, library) {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000)
  return {
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
    LD_PRELOAD: library,
    ...(zone === undefined ? {} : { TZ: zone }),
  }
}

/** The library of faketime, as the dynamic linker takes it; installed with apt-get when it is missing and we may. */
export async function findFaketime() {
  if (process.platform !== 'linux')
    throw new LauncherError('The clock of a test can be moved on Linux only (faketime); run it there, or in a container.', 69)
  if (findProgram('faketime') === undefined) await installPackages('faketime')
  const { code, output } = await runChild('faketime', ['-m', '-f', '+0', process.execPath, '-p', 'process.env.LD_PRELOAD'])
  const library = output.trim()
  if (code === 0 && library !== '') return library
  throw new LauncherError(
    'The clock is moved by faketime, which is missing; install it (Debian: "apt-get install faketime").',
    69,
  )
}
