import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const { items } = JSON.parse(readFileSync('schemas/dictionaries/timeZone.json', 'utf8')) as { items: { code: string }[] }
const codes = items.map(({ code }) => code)

describe('time zones that can be chosen', () => {
  it('are all of IANA, by their names of today and of before', () => {
    const missing = Intl.supportedValuesOf('timeZone').filter((zone) => !codes.includes(zone))
    expect(missing).toEqual([])
    const aliases = [
      'Asia/Calcutta',
      'Asia/Kolkata',
      'Asia/Saigon',
      'Asia/Ho_Chi_Minh',
      'Europe/Kiev',
      'Europe/Kyiv',
      'Etc/UTC',
      'UTC',
    ]
    const nested = [
      'America/Argentina/Buenos_Aires',
      'America/Buenos_Aires',
      'America/Indiana/Knox',
      'US/Eastern',
      'Etc/GMT+12',
      'GMT',
    ]
    expect([...aliases, ...nested].filter((zone) => !codes.includes(zone))).toEqual([])
  })

  it('are each known to whoever reckons days, once', () => {
    expect(codes.filter((zone) => !Number.isFinite(Date.parse(new Date(0).toLocaleString('en', { timeZone: zone }))))).toEqual([])
    expect(codes.filter((zone, index) => codes.indexOf(zone) !== index)).toEqual([])
  })
})
