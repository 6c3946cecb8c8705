import { describe, expect, it } from 'vitest'
import {
  isPrivateAddress,
  PrivateAddressError,
  publicAddressOf,
  refusePrivateHost,
} from '../../../../../gateway/platform/outside'

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

describe('hosts that people typed', () => {
  it('are connected to by the address that was checked, and by none inside', async () => {
    await expect(publicAddressOf('8.8.8.8', [], 'MAIL_PRIVATE_HOSTS')).resolves.toBe('8.8.8.8')
    for (const host of ['localhost', '127.0.0.1', '10.0.0.8', '127.1', '[::1]'])
      await expect(publicAddressOf(host, [], 'MAIL_PRIVATE_HOSTS')).rejects.toThrow()
    await expect(publicAddressOf('LOCALHOST', [], 'MAIL_PRIVATE_HOSTS')).rejects.toThrow('MAIL_PRIVATE_HOSTS')
  })
  it('lead inside where the configuration names them', async () => {
    await expect(publicAddressOf('127.0.0.1', ['127.0.0.1'], 'MAIL_PRIVATE_HOSTS')).resolves.toBe('127.0.0.1')
    await expect(publicAddressOf('127.0.0.1', ['127.0.0.2'], 'MAIL_PRIVATE_HOSTS')).rejects.toThrow(PrivateAddressError)
  })
})
