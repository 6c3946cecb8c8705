import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addDays, dayAt, minuteAt } from '../../../src/schema/formats/days'

interface Moment {
  name: string
  at: Date
  zone: string
}
const COMPANY = 'Asia/Shanghai'

function days(...flags: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test-days.mjs', ...flags], { encoding: 'utf8' })
  return {
    status,
    stderr,
    lines: stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')),
  }
}
const all = days('--list')
const files = all.lines.filter(([kind]) => kind === 'file').map(([, file]) => file ?? '')
const moments = all.lines
  .filter(([kind]) => kind === 'moment')
  .map(([, name = '', at = '', zone = '']): Moment => ({ name, at: new Date(at), zone }))

/** Minutes that the clock of the zone jumps within the next five. */
function jump({ at, zone }: Moment): number {
  const shown = (instant: number): number => Date.parse(`${minuteAt(new Date(instant), zone).replace(' ', 'T')}Z`)
  return (shown(at.getTime() + 300_000) - shown(at.getTime())) / 60_000 - 5
}

describe('npm run test:days', () => {
  it('finds every test that stands on the demo world, by what it says', () => {
    const read = (file: string): string => readFileSync(file, 'utf8')
    const tests = readdirSync('tests/integration', { recursive: true, encoding: 'utf8' })
      .map((name) => join('tests/integration', name).replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.test.ts'))
    // people of the demo company, the size of its world, and the world itself in whatever words
    const standing = tests.filter((file) => /'st-s\d{4}'|DEMO_SCALE|\bdemo\b\s*:\s*(?!false\b)\w|\{ demo[ ,}]/.test(read(file)))
    expect(standing.length).toBeGreaterThan(30)
    const known = ['tests/integration/gateway/modules/filesTouched.full.test.ts']
    expect([...new Set([...standing, ...known])].sort()).toEqual(files)
  })

  it('plays twelve moments: each weekday, month ends, 29 February, both clock changes, a minute before and after midnight', () => {
    expect(moments).toHaveLength(12)
    const dayOf = ({ at }: Moment): string => dayAt(at, COMPANY)
    const weekdays = moments.map((moment) =>
      new Date(`${dayOf(moment)}T00:00:00Z`).toLocaleString('en', { weekday: 'long', timeZone: 'UTC' }),
    )
    for (const [index, { name }] of moments.entries())
      if (/day$/.test(name) && name !== 'leap-day') expect([name, weekdays[index]?.toLowerCase()]).toEqual([name, name])
    expect(new Set(weekdays).size).toBe(7)
    const monthEnds = moments.filter((moment) => addDays(dayOf(moment), 1).endsWith('-01')).map(dayOf)
    expect(new Set(monthEnds.map((day) => day.slice(5, 7))).size).toBeGreaterThanOrEqual(4)
    expect(monthEnds.filter((day) => day.endsWith('-12-31'))).toHaveLength(1)
    expect(moments.filter((moment) => dayOf(moment).endsWith('-02-29'))).toHaveLength(1)
    expect(
      moments
        .filter(({ zone }) => zone !== '')
        .map(jump)
        .sort(),
    ).toEqual([-60, 60])
    const times = moments.map(({ at }) => minuteAt(at, COMPANY).slice(11))
    expect(times).toEqual(expect.arrayContaining(['23:59', '00:01']))
  })

  it('runs a part of it, and says what it does not know', () => {
    const part = days('--list', '--moments', 'leap-day,sunday', '--files', 'crm/bulk')
    expect(part.lines.map(([, name]) => name)).toEqual([
      'sunday',
      'leap-day',
      'tests/integration/gateway/modules/crm/bulk.test.ts',
    ])
    expect(days('--moments', 'someday')).toMatchObject({ status: 64, stderr: expect.stringContaining('no moment "someday"') })
    expect(days('--files', 'nowhere')).toMatchObject({ status: 64, stderr: expect.stringContaining('"nowhere"') })
    expect(days('--moment', 'sunday')).toMatchObject({ status: 64, stderr: expect.stringContaining('Usage') })
  })
})
