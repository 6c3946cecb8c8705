import { describe, expect, it } from 'vitest'
import { isPrivateAddress, refusePrivateHost } from '../../../../gateway/workflow/notices/address'
import { quietUntil } from '../../../../gateway/workflow/notices/quiet'
import { filled, unknownPlaceholders } from '../../../../gateway/workflow/notices/templates'

describe('quiet hours', () => {
  const until = (at: string, from = '22:00', to = '08:00'): string | undefined =>
    quietUntil(new Date(at), from, to, 'Asia/Shanghai')?.toISOString()

  it('go over midnight in the company zone; the end is not quiet any more', () => {
    expect(until('2026-03-01T13:59:59Z')).toBeUndefined()
    expect(until('2026-03-01T14:00:00Z')).toBe('2026-03-02T00:00:00.000Z')
    expect(until('2026-03-01T18:30:20Z')).toBe('2026-03-02T00:00:00.000Z')
    expect(until('2026-03-01T23:59:59Z')).toBe('2026-03-02T00:00:00.000Z')
    expect(until('2026-03-02T00:00:00Z')).toBeUndefined()
  })

  it('may lie within a day, and be none at all', () => {
    expect(until('2026-03-01T04:30:00Z', '12:00', '13:00')).toBe('2026-03-01T05:00:00.000Z')
    expect(until('2026-03-01T05:00:00Z', '12:00', '13:00')).toBeUndefined()
    expect(until('2026-03-01T05:00:00Z', '08:00', '08:00')).toBeUndefined()
  })
})

describe('templates', () => {
  it('fill in what is known and write - for the rest', () => {
    expect(filled('{applicant}: {amount}, {hours} h, {nothing}', { applicant: 'Wang', amount: '', hours: 0 })).toBe(
      'Wang: -, 0 h, -',
    )
  })
  it('name what nobody fills in', () => {
    expect(unknownPlaceholders('{code} {codes} {by}')).toEqual(['codes'])
  })
})

describe('addresses of private networks', () => {
  it('are told apart from public ones, in every notation', () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fd00::1',
      'fe80::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      // an address inside another one, and ranges that are inner ones by an older name
      '::7f00:1',
      '2002:7f00:1::',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      'fec0::1',
      '4000::1',
    ])
      expect([address, isPrivateAddress(address)]).toEqual([address, true])
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
      expect([address, isPrivateAddress(address)]).toEqual([address, false])
  })
  it('are refused as hosts, also as numbers and by the name of this machine', () => {
    for (const url of [
      'http://127.1/',
      'http://2130706433/',
      'http://[::1]:80/',
      'https://localhost/x',
      'http://0x7f.1/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[fec0::1]/',
    ])
      expect(() => refusePrivateHost(new URL(url))).toThrow('NOTICE_PRIVATE_NETWORKS')
    expect(() => refusePrivateHost(new URL('https://oapi.dingtalk.com/robot/send'))).not.toThrow()
  })
})
