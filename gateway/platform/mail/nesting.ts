import { Tokenizer } from 'htmlparser2'

/** Elements within each other beyond which only text is kept: what people write stays far below. */
const DEEPEST = 200

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const VOID = words('area base br col embed frame hr img input keygen link meta param source track wbr basefont isindex')
const CELLS = words('td th')
const ROWS = words('td th tr')
const PARTS = words('td th tr tbody thead tfoot')
const PARAGRAPH = words('p')
const BLOCKS =
  'address article aside blockquote center details dir div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'

/** What an element ends that nobody closed, where that is the innermost one. */
const ENDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...BLOCKS.split(' ').map((name) => [name, PARAGRAPH] as const),
  ...(['td', 'th'] as const).map((name) => [name, CELLS] as const),
  ['tr', ROWS],
  ...(['tbody', 'thead', 'tfoot'] as const).map((name) => [name, PARTS] as const),
  ['li', words('li p')],
  ...(['dt', 'dd'] as const).map((name) => [name, words('dt dd p')] as const),
])

/** The elements that are open, the outermost first; those that lie too deep are counted and no more, with all that is in them. */
class Nesting {
  private readonly open: string[] = []
  private readonly tooDeep = new Map<string, number>()

  /** Whether an element that begins is kept. */
  begins(name: string): boolean {
    if (this.tooDeep.size === 0) {
      const ended = ENDS.get(name)
      while (ended?.has(this.open.at(-1) ?? '')) this.open.pop()
      if (VOID.has(name)) return true
      if (this.open.length < DEEPEST) return this.open.push(name) > 0
    } else if (VOID.has(name)) return true
    this.tooDeep.set(name, (this.tooDeep.get(name) ?? 0) + 1)
    return false
  }

  /** Whether the end of an element is kept. */
  ends(name: string): boolean {
    const deep = this.tooDeep.get(name) ?? 0
    if (deep > 1) this.tooDeep.set(name, deep - 1)
    else if (deep === 1) this.tooDeep.delete(name)
    if (deep > 0) return false
    const at = this.open.lastIndexOf(name)
    if (at >= 0) {
      this.open.length = at
      // whoever closes what lies around it closes what was left open in it
      this.tooDeep.clear()
    }
    return true
  }
}

/** HTML without the elements that lie too deep in others, whose number would make every reader slow; their text stays. In time that grows with its length only. */
export function shallow(html: string): string {
  const nesting = new Nesting()
  const kept: string[] = []
  let from = 0
  let tag: { start: number; kept: boolean } | null = null
  const cut = (start: number, end: number): void => {
    kept.push(html.slice(from, start))
    from = end
  }
  const opened = (end: number): void => {
    if (tag?.kept === false) cut(tag.start, end + 1)
    tag = null
  }
  const ignored = (): void => undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        tag = { start: start - 1, kept: nesting.begins(html.slice(start, end).toLowerCase()) }
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => {
        if (nesting.ends(html.slice(start, end).toLowerCase())) return
        const close = html.indexOf('>', end)
        cut(html.lastIndexOf('</', start), close < 0 ? html.length : close + 1)
      },
      ...{ onattribdata: ignored, onattribentity: ignored, onattribend: ignored, onattribname: ignored, oncdata: ignored },
      ...{ oncomment: ignored, ondeclaration: ignored, onend: ignored, onprocessinginstruction: ignored },
      ...{ ontext: ignored, ontextentity: ignored },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return `${kept.join('')}${html.slice(from)}`
}
