import { describe, expect, it } from 'vitest'
import { networkList } from '../../../../gateway/networks/list'

describe('the list of mobile networks', () => {
  const networks = networkList()
  const network = (mcc: string, mnc: string) => networks.find((one) => one.mcc === mcc && one.mnc === mnc)

  it('holds every code once, with its zeros', () => {
    expect(networks.length).toBeGreaterThan(2_500)
    expect(new Set(networks.map(({ mcc, mnc }) => mcc + mnc)).size).toBe(networks.length)
    expect(network('724', '05')).toMatchObject({ country: 'BR', brand: 'Claro', status: 'operational' })
    expect(network('724', '005')).toBeUndefined()
  })

  it('gives a code of several territories to the one that most networks of its MCC are in, and tells of the others', () => {
    expect(network('310', '260')).toMatchObject({ country: 'US', note: expect.stringContaining('PR: T-Mobile US') as string })
    expect(network('234', '03')).toMatchObject({ country: 'GB', note: expect.stringContaining('JE: ') as string })
  })

  it('knows countries by two letters, and none of an international network', () => {
    expect(networks.every(({ country }) => country === null || /^[A-Z]{2}$/.test(country))).toBe(true)
    expect(network('901', '14')?.country).toBeNull()
  })
})
