import type { FastifyInstance } from 'fastify'

interface KnownAddress {
  pattern: RegExp
  methods: Set<string>
}

/** Remembers every address of the app, so that a wrong method (405) can be told from a wrong address (404). */
export function collectAddresses(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, KnownAddress>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*' || url === '/*') return
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const each of Array.isArray(method) ? method : [method]) entry.methods.add(each)
    known.set(url, entry)
  })
  return (path) => {
    const methods = new Set<string>()
    for (const entry of known.values()) if (entry.pattern.test(path)) for (const method of entry.methods) methods.add(method)
    return [...methods].sort()
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return new RegExp(`^${source}/?$`)
}
