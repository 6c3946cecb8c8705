/** A look at JSON text for what `JSON.parse` does not say: where it breaks (engines differ), and keys that stand twice. */

export type JsonFault =
  | { kind: 'syntax'; offset: number; found: string }
  | { kind: 'repeated-key'; offset: number; at: readonly (string | number)[]; key: string }

const STRING = '"[^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*"'
const SCALAR = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null'
const TOKEN = new RegExp(`[ \\t\\n\\r]*(?:([{}[\\],:])|(${STRING})|(${SCALAR}))`, 'y')

interface Open {
  keys: Set<string> | null
  /** Key of an object, index of a list. */
  step: string | number
}
/** What may come next. */
type Expecting = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

/** The first place where the text is no JSON, or the first repeated key; undefined when there is neither. */
export const findJsonFault = (text: string): JsonFault | undefined => {
  const open: Open[] = []
  let expecting: Expecting = 'value'
  let offset = 0
  let repeated: JsonFault | undefined
  const afterValue = (): Expecting => (open.length === 0 ? 'nothing' : 'comma-or-end')
  while (expecting !== 'nothing') {
    TOKEN.lastIndex = offset
    const match = TOKEN.exec(text)
    const at = match ? TOKEN.lastIndex - (match[1] ?? match[2] ?? match[3] ?? '').length : skipSpace(text, offset)
    const next: Found | undefined = match ? step(match, expecting) : undefined
    if (!match || !next) return { kind: 'syntax', offset: at, found: at >= text.length ? '' : (text[at] ?? '') }
    offset = TOKEN.lastIndex
    const top = open.at(-1)
    if (next === 'open-object' || next === 'open-list') {
      open.push({ keys: next === 'open-object' ? new Set() : null, step: next === 'open-object' ? '' : 0 })
      expecting = next === 'open-object' ? 'key-or-end' : 'value-or-end'
    } else if (next === 'close') {
      if ((match[1] === '}') !== (top?.keys !== null)) return { kind: 'syntax', offset: at, found: match[1] ?? '' }
      open.pop()
      expecting = afterValue()
    } else if (next === 'key') {
      const key = JSON.parse(match[2] ?? '""') as string
      if (top?.keys?.has(key))
        repeated ??= { kind: 'repeated-key', offset: at, at: open.slice(0, -1).map((entry) => entry.step), key }
      top?.keys?.add(key)
      if (top) top.step = key
      expecting = 'colon'
    } else if (next === 'comma') {
      if (top && typeof top.step === 'number') top.step += 1
      expecting = top?.keys ? 'key' : 'value'
    } else expecting = next === 'colon' ? 'value' : afterValue()
  }
  const end = skipSpace(text, offset)
  return end < text.length ? { kind: 'syntax', offset: end, found: text[end] ?? '' } : repeated
}

type Found = 'open-object' | 'open-list' | 'close' | 'key' | 'colon' | 'comma' | 'scalar'

/** What the token means where it stands; undefined when it may not stand there. */
function step([, sign, string]: RegExpExecArray, expecting: Expecting): Found | undefined {
  const value = expecting === 'value' || expecting === 'value-or-end'
  switch (sign) {
    case '{':
      return value ? 'open-object' : undefined
    case '[':
      return value ? 'open-list' : undefined
    case '}':
    case ']':
      return expecting === 'comma-or-end' || expecting === (sign === '}' ? 'key-or-end' : 'value-or-end') ? 'close' : undefined
    case ',':
      return expecting === 'comma-or-end' ? 'comma' : undefined
    case ':':
      return expecting === 'colon' ? 'colon' : undefined
    default:
      if (value) return 'scalar'
      return string !== undefined && (expecting === 'key' || expecting === 'key-or-end') ? 'key' : undefined
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text[at] ?? '')) at += 1
  return at
}
