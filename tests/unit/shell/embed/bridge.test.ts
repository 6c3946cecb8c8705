import { describe, expect, it } from 'vitest'
import { entryAddress, readFromApp } from '../../../../src/shell/embed/bridge'

const message = (rest: Record<string, unknown>) => ({ channel: 'switchboard', version: 1, ...rest })

describe('the bridge to sub-applications (R085)', () => {
  it('reads its own messages', () => {
    expect(readFromApp(message({ type: 'ready' }))).toEqual({ type: 'ready' })
    expect(readFromApp(message({ type: 'navigate', address: '/a', replace: true }))).toEqual({
      type: 'navigate',
      address: '/a',
      replace: true,
    })
    expect(readFromApp(message({ type: 'height', height: 10.2 }))).toEqual({ type: 'height', height: 11 })
    expect(readFromApp(message({ type: 'title', title: 'x'.repeat(900) }))).toEqual({ type: 'title', title: 'x'.repeat(200) })
    expect(readFromApp(message({ type: 'unsaved', unsaved: true }))).toEqual({ type: 'unsaved', unsaved: true })
  })

  it.each([
    null,
    'ready',
    {},
    { type: 'ready' },
    message({ type: 'other' }),
    message({ type: 'height', height: -1 }),
    message({ type: 'height', height: 1e9 }),
    message({ type: 'navigate' }),
    { channel: 'switchboard', version: 2, type: 'ready' },
  ])('hears nothing in %j', (data) => expect(readFromApp(data)).toBeNull())

  it('puts the rest of the path and the query into the entry address (R032)', () => {
    const at = (entry: string, path: string, search = '') => entryAddress(entry, path, search, 'https://portal.example.com').href
    expect(at('https://srm.example.com/app/', '/srm/a/b', '?x=1')).toBe('https://srm.example.com/app/a/b?x=1')
    expect(at('/apps/srm?tenant=7', '/srm', '?x=1')).toBe('https://portal.example.com/apps/srm?tenant=7&x=1')
  })
})
