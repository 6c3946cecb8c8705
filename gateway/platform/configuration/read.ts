import { resolve } from 'node:path'
import { StartupError } from '../lifecycle/index'
import { SETTINGS } from './settings'
import type { SettingName, SettingTable, ValuesOf } from './settings'

/** What the gateway was told. Folders are absolute; everything is checked. */
export interface Configuration extends Omit<Values, 'demoSignIn'> {
  readonly demoSignIn: boolean
  /** What a module was told: the values of its own settings. */
  of<Settings extends SettingTable>(settings: Settings): ValuesOf<Settings>
}

type Values = ValuesOf<typeof SETTINGS>

/** Every mistake of the environment at once. */
export class ConfigurationError extends StartupError {
  override readonly name = 'ConfigurationError'
  /** One sentence a mistake, beginning with the variable. */
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    const count = mistakes.length === 1 ? 'one setting is wrong' : `${mistakes.length} settings are wrong`
    super(
      'configuration',
      `${count}:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}\n"npm start -- --help" lists all settings.`,
    )
    this.mistakes = mistakes
  }
}

/** Settings of which either all are given or none. */
const TOGETHER: readonly SettingName[][] = [
  ['oauthAuthorizeUrl', 'oauthTokenUrl', 'oauthUserinfoUrl', 'oauthClientId', 'oauthClientSecret'],
  ['s3Endpoint', 's3Bucket', 's3Region', 's3Key', 's3Secret'],
]

/**
 * Reads and checks the environment.
 * @param folder what relative folders are relative to
 * @param further settings of modules, which are checked with the others
 * @throws ConfigurationError listing all mistakes
 */
export function readConfiguration(
  environment: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
  further: readonly SettingTable[] = [],
): Configuration {
  const mistakes: string[] = []
  const values = readTable(SETTINGS, environment, mistakes)
  for (const table of further) readTable(table, environment, mistakes)
  for (const group of TOGETHER) {
    const missing = group.filter((name) => !environment[SETTINGS[name].variable]?.trim())
    if (missing.length === 0 || missing.length === group.length) continue
    const given = group.filter((name) => !missing.includes(name))
    const names = (list: readonly SettingName[]) => list.map((name) => SETTINGS[name].variable).join(', ')
    mistakes.push(`${names(missing)} must be set too, because ${names(given)} ${given.length === 1 ? 'is' : 'are'}.`)
  }
  if (values.environmentName === 'production' && values.clockShift !== 0)
    mistakes.push('CLOCK_SHIFT must not be set in the environment production.')
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  const complete = values as unknown as Values
  return Object.freeze({
    of: <Settings extends SettingTable>(settings: Settings) => {
      const wrong: string[] = []
      const own = readTable(settings, environment, wrong) as ValuesOf<Settings>
      if (wrong.length > 0) throw new ConfigurationError(wrong)
      return own
    },
    ...complete,
    dataDir: resolve(folder, complete.dataDir),
    schemasDir: resolve(folder, complete.schemasDir),
    demoSignIn: complete.demoSignIn ?? complete.environmentName === 'test',
  })
}

function readTable(settings: SettingTable, environment: NodeJS.ProcessEnv, mistakes: string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const given = environment[setting.variable]?.trim()
    const text = given || setting.default
    if (text === undefined) continue
    try {
      values[name] = setting.kind.read(text)
    } catch (error) {
      const shown = setting.secret || setting.variable === 'DATABASE_URL' ? '' : ` ("${text}")`
      mistakes.push(`${setting.variable}${shown} ${error instanceof Error ? error.message : String(error)}.`)
    }
  }
  return values
}
