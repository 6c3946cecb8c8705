import { SETTINGS } from './settings'
import type { Setting, SettingTable } from './settings'

/** The settings of the platform, then those of the modules. */
const withThose = (further: readonly SettingTable[]): Setting<unknown>[] =>
  [SETTINGS, ...further].flatMap((table: SettingTable) => Object.values(table))

/** The list of settings for the terminal. */
export function configurationHelp(further: readonly SettingTable[] = []): string {
  const all = withThose(further)
  const width = Math.max(...all.map(({ variable }) => variable.length))
  const lines = all.map(({ variable, kind, default: fallback, meaning }) => {
    const value = fallback === undefined ? '' : ` Default ${fallback}.`
    return `  ${variable.padEnd(width)}  ${plain(meaning)} (${plain(kind.label)})${value}`
  })
  return `Settings (environment variables):\n${lines.join('\n')}\n`
}

/** The page docs/configuration.md, whole. */
export function configurationMarkdown(further: readonly SettingTable[] = []): string {
  const rows = withThose(further).map(
    ({ variable, kind, default: fallback, meaning, secret }) =>
      `| \`${variable}\` | ${kind.label}${secret ? ' (secret)' : ''} | ${fallback === undefined ? '' : `\`${fallback}\``} | ${meaning} |`,
  )
  return `# Configuration

Switchboard is configured by environment variables. All have defaults; a start with wrong ones names every mistake at once
and ends with exit code 78. Empty variables count as absent. Relative folders are relative to the folder of the project.
The portal learns its part (addresses, environment name, time zone) from the page at run time: another environment needs no build.

This page is made from \`gateway/platform/configuration/settings.ts\` and the \`settings\` of the modules by \`npm run generate:configuration\`.

| variable | kind | default | meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function plain(text: string): string {
  return text.replaceAll('\\|', '|').replaceAll('`', '')
}
