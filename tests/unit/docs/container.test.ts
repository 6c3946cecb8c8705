import { existsSync, readFileSync } from 'node:fs'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../../gateway/platform/configuration/settings'

interface ComposeFile {
  services: Record<string, { image?: string; environment?: Record<string, string>; depends_on?: Record<string, unknown> }>
}

const dockerfile = readFileSync('Dockerfile', 'utf8')
const compose = parse(readFileSync('compose.yaml', 'utf8')) as ComposeFile

describe('The container', () => {
  it('has a Dockerfile that its linter finds nothing in', () => {
    expect(validate(dockerfile).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([])
  })

  it('has a compose file that its linter finds nothing in', () => {
    const results = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] }).lintFiles(['compose.yaml'], false)
    expect(results).toHaveLength(1)
    expect(results.flatMap(({ messages }) => messages.map(({ line, message }) => `line ${line}: ${message}`))).toEqual([])
  })

  it('is built of what is there, on a Node that runs Switchboard', () => {
    const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      engines: { node: string }
      scripts: Record<string, string>
    }
    const versions = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major))
    expect(versions).toHaveLength(2)
    expect(Math.min(...versions)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]))
    const copied = [...dockerfile.matchAll(/^COPY ((?:[\w.-]+ )+)\.\/?$/gm)].flatMap(([, files = '']) => files.trim().split(' '))
    expect(copied).toContain('package-lock.json')
    expect(copied.filter((file) => !existsSync(file))).toEqual([])
    expect([...dockerfile.matchAll(/npm run (\w+)/g)].map(([, script = '']) => scripts[script])).not.toContain(undefined)
  })

  it('is given only settings that the gateway knows', () => {
    const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable))
    const set = Object.keys(compose.services['gateway']?.environment ?? {})
    expect(set).toContain('DATABASE_URL')
    expect(set.filter((variable) => !known.has(variable))).toEqual([])
    const inImage = [...(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name)
    expect(inImage.filter((name) => name !== 'NODE_ENV' && !known.has(name))).toEqual([])
  })
})
