// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { parseConfiguration, readConfiguration } from '../../../../src/shell/configuration/configuration'

const page = (text: string) =>
  new DOMParser().parseFromString(`<script id="switchboard-configuration" type="application/json">${text}</script>`, 'text/html')

describe('the configuration of the page (R308, R318, R416)', () => {
  it('reads addresses, environment, external modules and header names', () => {
    const read = readConfiguration(
      page(
        JSON.stringify({
          environment: 'pre-production',
          gatewayBaseUrl: 'https://gateway.example.com/',
          h5Url: 'https://m.example.com',
          externalModules: { IMFS: 'https://imfs.example.com', NWP: '' },
          microApps: { crm: '/apps/crm/' },
          oauth: { authorizeUrl: 'https://corp.example.com/auth', clientId: 'abc' },
          companyTimeZone: 'Asia/Shanghai',
          headers: { gray: 'X-Canary' },
        }),
      ),
    )
    expect(read).toMatchObject({
      environment: 'pre-production',
      gateway: 'https://gateway.example.com',
      h5: 'https://m.example.com',
      external: { IMFS: 'https://imfs.example.com' },
      embeds: { crm: '/apps/crm/' },
      oauth: { authorizeUrl: 'https://corp.example.com/auth', clientId: 'abc' },
      headers: { gray: 'X-Canary', idempotence: 'Idempotency-Key' },
      problems: [],
    })
  })

  it('has a default for everything', () => {
    for (const text of ['', '{}'])
      expect(readConfiguration(page(text))).toMatchObject({
        gateway: '',
        environment: 'test',
        headers: { gray: 'X-Gray-Version' },
        problems: [],
      })
    expect(readConfiguration(document)).toMatchObject({ environment: 'test' })
  })

  it('names what is wrong and goes on with the default', () => {
    expect(readConfiguration(page('{')).problems).toHaveLength(1)
    const read = parseConfiguration({
      environment: 7,
      h5Url: 'javascript:alert(1)',
      microApps: { x: '//evil.example' },
      externalModules: { OTHER: 'https://x.example' },
      oauth: [],
      companyTimeZone: 'Moon/Crater',
    })
    expect(read).toMatchObject({ environment: 'test', h5: '', embeds: {}, external: {} })
    expect(read.problems).toHaveLength(6)
  })
})
