import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { moduleSettings } from '../../../../../gateway/modules'
import {
  ConfigurationError,
  configurationHelp,
  configurationMarkdown,
  readConfiguration,
} from '../../../../../gateway/platform/configuration'
import { SETTINGS } from '../../../../../gateway/platform/configuration/settings'
import { EXIT } from '../../../../../gateway/platform/lifecycle'

function mistakes(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfiguration(environment, '/project')
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    expect((error as ConfigurationError).exitCode).toBe(EXIT.configuration)
    return (error as ConfigurationError).mistakes
  }
  return []
}

describe('the configuration', () => {
  it('has a default for everything that is needed, with absolute folders', () => {
    expect(readConfiguration({}, '/project')).toMatchObject({
      port: 4600,
      host: '127.0.0.1',
      dataDir: '/project/data',
      schemasDir: '/project/schemas',
      environmentName: 'test',
      sessionTokenSeconds: 7200,
      companyTimeZone: 'Asia/Shanghai',
      microApps: {},
      trustProxy: false,
      demoSignIn: true,
      demoScale: 1,
    })
    expect(readConfiguration({}, '/project').databaseUrl).toBeUndefined()
  })

  it('reads values, takes an empty variable as absent, and offers demo sign-in in the test environment only', () => {
    const environment = {
      PORT: ' 80 ',
      HOST: '',
      ENVIRONMENT_NAME: 'production',
      MICRO_APPS: '{"a":"https://a.example/x/"}',
      GATEWAY_BASE_URL: 'https://g.example/',
    }
    expect(readConfiguration(environment, '/project')).toMatchObject({
      port: 80,
      host: '127.0.0.1',
      demoSignIn: false,
      microApps: { a: 'https://a.example/x/' },
      gatewayBaseUrl: 'https://g.example',
    })
    expect(readConfiguration({ ENVIRONMENT_NAME: 'production', DEMO_SIGN_IN: 'yes' }).demoSignIn).toBe(true)
  })

  it('reads the own addresses as origins, the canonical one first, and takes none with a path', () => {
    expect(readConfiguration({}).publicUrls).toEqual([])
    expect(readConfiguration({ PUBLIC_URL: 'https://Portal.example:443/, http://10.0.0.5:4600' }).publicUrls).toEqual([
      'https://portal.example',
      'http://10.0.0.5:4600',
    ])
    expect(mistakes({ PUBLIC_URL: 'https://portal.example/switchboard' })).toHaveLength(1)
    expect(mistakes({ PUBLIC_URL: 'portal.example' })).toHaveLength(1)
  })

  it('names every mistake at once and no secret', () => {
    const found = mistakes({
      PORT: '70000',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      ENVIRONMENT_NAME: 'prod',
      MICRO_APPS: '{"a":"javascript:alert(1)"}',
      COMPANY_TIME_ZONE: 'Mars/Olympus',
      DEMO_NOW: 'yesterday',
      S3_SECRET: 'hunter2',
    })
    expect(found.map((sentence) => sentence.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'ENVIRONMENT_NAME',
      'MICRO_APPS',
      'DEMO_NOW',
      'COMPANY_TIME_ZONE',
      'S3_ENDPOINT,',
    ])
    expect(found.join()).not.toContain('hunter2')
  })

  it.each(['http://user:pw@host', 'ftp://host', 'host:80', '/path'])('refuses %s as an address', (address) => {
    expect(mistakes({ H5_URL: address })).toHaveLength(1)
  })

  it('gives every setting a variable of its own, and lists all of them in the help', () => {
    const variables = Object.values(SETTINGS).map(({ variable }) => variable)
    expect(new Set(variables).size).toBe(variables.length)
    for (const variable of variables) expect(configurationHelp()).toContain(variable)
  })

  it('is documented as it is: npm run generate:configuration writes the page', () => {
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationMarkdown(moduleSettings()))
  })
})
