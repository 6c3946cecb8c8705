import fc from 'fast-check'

/** A JSON Schema as the API description holds it; what is not read here does not matter to inputs. */
interface Shape {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Shape>>
  items?: Shape
  required?: readonly string[]
}

interface Operation {
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: Shape }[]
  requestBody?: { content: Readonly<Record<string, { schema?: Shape }>> }
}

export interface ApiDescription {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** One call; `body` is the text that is sent, undefined for a call without one. */
export interface HostileCall {
  method: string
  address: string
  body?: string
}

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  'x'.repeat(5000),
  '٣',
  '\u202e\u200b',
  '👩‍👩‍👧',
  '-1',
  '0',
  '1e308',
  'NaN',
  '9'.repeat(60),
  '2026-02-30',
  '0000-00-00',
  '99999-01-01',
  '2026-13-01T25:61:00Z',
  '2026-01-01T00:00:00+23:59',
  '-000001-01-01T00:00:00Z',
  'true',
  'null',
  '[]',
  '{"a":1}',
  '%',
  '_%\\',
  "'; drop table x; --",
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  '{{ $record }}',
  'name.name',
  'ownerId.mainDeptId.name',
  '+8613800000000000000000',
  'http://[',
  '(((((',
]
const NUMBERS = [0, -0, -1, 1, 0.1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, 5e-324]
/** Words that stand for what JSON.stringify cannot write. */
const RAW = { '"@infinite"': '1e999', '"@deep"': '['.repeat(3000) + ']'.repeat(3000), '"@nul"': '"\\u0000"' }
const ODD: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  {},
  [],
  [null],
  [[[[{}]]]],
  { length: 4_294_967_296 },
  { toString: 1, valueOf: null },
  { $ne: 1 },
  JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1}}'),
  Array.from({ length: 300 }, () => 1),
  '@infinite',
  '@deep',
  '@nul',
)
const nasty = fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom(...NUMBERS), ODD)

/** Texts that lead further than a refusal, by the property that takes them; under '' for all others (ids of records). */
export type Known = Readonly<Record<string, readonly string[]>>

function textOf(known: Known, name: string): fc.Arbitrary<unknown> {
  const texts = fc.constantFrom(...TEXTS)
  const meant = known[name] ?? known[''] ?? []
  return meant.length === 0 ? texts : fc.oneof({ arbitrary: fc.constantFrom(...meant), weight: 3 }, texts)
}

/** Values that have the right shape mostly, and hostile leaves. */
function valueOf(shape: Shape | undefined, known: Known, name = '', depth = 0): fc.Arbitrary<unknown> {
  const fitting = fittingOf(shape, known, name, depth)
  return fc.oneof({ arbitrary: fitting, weight: 6 }, { arbitrary: nasty, weight: 1 })
}

function fittingOf(shape: Shape | undefined, known: Known, name: string, depth: number): fc.Arbitrary<unknown> {
  const type = shape?.type === undefined ? undefined : [shape.type].flat()[0]
  if (shape?.enum) return fc.constantFrom(...shape.enum)
  if (shape?.properties) {
    const required = new Set(shape.required)
    const entries = Object.entries(shape.properties)
    const parts = entries.map(([inner, part]) => {
      const value = valueOf(part, known, inner, depth + 1).map((given) => [[inner, given]] as const)
      const chance = entries.length > 8 ? 3 : 1
      return required.has(name)
        ? value
        : fc.oneof({ arbitrary: value, weight: 1 }, { arbitrary: fc.constant([]), weight: chance })
    })
    return fc.tuple(...parts).map((given) => Object.fromEntries(given.flat() as [string, unknown][]))
  }
  switch (type) {
    case 'array':
      return depth > 5 ? fc.constant([]) : fc.array(valueOf(shape?.items, known, name, depth + 1), { maxLength: 3 })
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(...NUMBERS))
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textOf(known, name)
    case 'object':
      return fc.dictionary(fc.constantFrom('id', 'ids', 'name', 'version', '__proto__', 'a\0'), nasty, { maxKeys: 4 })
    default:
      return fc.oneof(textOf(known, name), nasty)
  }
}

/** What the operation may be called with; the same for the same seed. */
export function hostileCalls(
  method: string,
  path: string,
  operation: Operation,
  options: { count: number; seed: number; known: Known },
): HostileCall[] {
  const { known } = options
  const inPlace = (place: string) => operation.parameters?.filter((parameter) => parameter.in === place) ?? []
  const content = Object.values(operation.requestBody?.content ?? {})[0]
  const given = fc.record({
    path: fc.tuple(...inPlace('path').map(({ name }) => textOf(known, name))),
    query: fc.tuple(...inPlace('query').map(({ name, schema }) => fc.option(fittingOf(schema, known, name, 0), { freq: 2 }))),
    body: method === 'get' ? fc.constant(undefined) : valueOf(content?.schema ?? { type: 'object' }, known),
  })
  return fc.sample(given, { numRuns: options.count, seed: options.seed }).map((drawn) => {
    const places = [...drawn.path]
    const address = path.replace(/\{[^}]+\}/g, () => encoded(places.shift()) || '%00')
    const query = inPlace('query').flatMap(({ name }, index) =>
      drawn.query[index] === null ? [] : [`${name}=${encoded(drawn.query[index])}`],
    )
    return {
      method: method.toUpperCase(),
      address: query.length === 0 ? address : `${address}?${query.join('&')}`,
      ...(drawn.body === undefined ? {} : { body: written(drawn.body) }),
    }
  })
}

/** In an address; half a surrogate pair goes as the bytes that no UTF-8 has. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\u{1f4a3}').slice(0, 2000)).replaceAll('%F0%9F%92%A3', '%ED%A0%80')
}

function written(value: unknown): string {
  return Object.entries(RAW).reduce((text, [word, raw]) => text.replaceAll(word, raw), JSON.stringify(value))
}
