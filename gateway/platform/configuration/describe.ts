import { SETTINGS } from './settings'
import type { Setting } from './settings'

/** The list of settings for the terminal. */
export function configurationHelp(): string {
  const all = Object.values<Setting<unknown>>(SETTINGS)
  const width = Math.max(...all.map(({ variable }) => variable.length))
  const lines = all.map(({ variable, kind, default: fallback, meaning }) => {
    const value = fallback === undefined ? '' : ` Default ${fallback}.`
    return `  ${variable.padEnd(width)}  ${plain(meaning)} (${plain(kind.label)})${value}`
  })
  return `Settings (environment variables):\n${lines.join('\n')}\n`
}

/** The page docs/configuration.md, whole. */
export function configurationMarkdown(): string {
  const rows = Object.values<Setting<unknown>>(SETTINGS).map(
    ({ variable, kind, default: fallback, meaning, secret }) =>
      `| \`${variable}\` | ${kind.label}${secret ? ' (secret)' : ''} | ${fallback === undefined ? '' : `\`${fallback}\``} | ${meaning} |`,
  )
  return `# Configuration

Switchboard is configured by environment variables. All have defaults; a start with wrong ones names every mistake at once
and ends with exit code 78. Empty variables count as absent. Relative folders are relative to the folder of the project.
The portal learns its part (addresses, environment name, time zone) from the page at run time: another environment needs no build.

This page is made from \`gateway/platform/configuration/settings.ts\` by \`npm run generate:configuration\`.

| variable | kind | default | meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function plain(text: string): string {
  return text.replaceAll('\\|', '|').replaceAll('`', '')
}
