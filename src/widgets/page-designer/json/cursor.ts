import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

type Node = ReturnType<typeof syntaxTree>['topNode']

const VALUES: ReadonlySet<string> = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'])

const childrenOf = (node: Node): Node[] => {
  const found: Node[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child)
  return found
}

const valuesIn = (node: Node): Node[] => childrenOf(node).filter(({ name }) => VALUES.has(name))

const nameOf = (state: EditorState, property: Node): string => {
  const name = property.getChild('PropertyName')
  if (!name) return ''
  const text = state.sliceDoc(name.from, name.to)
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replaceAll('"', '')
  }
}

/** Where the value of a path (keys and positions) stands in the text; undefined when it does not. */
export const rangeOf = (state: EditorState, steps: readonly string[]): { from: number; to: number } | undefined => {
  let node: Node | undefined = valuesIn(syntaxTree(state).topNode)[0]
  for (const step of steps) {
    if (!node) return undefined
    if (node.name === 'Array') node = valuesIn(node)[Number(step)]
    else {
      const property = node.getChildren('Property').find((entry) => nameOf(state, entry) === step)
      node = property && valuesIn(property)[0]
    }
  }
  return node && { from: node.from, to: node.to }
}

export interface Cursor {
  /** Keys and positions of what the cursor stands in. */
  steps: readonly string[]
  /** The cursor stands where the name of a property belongs. */
  naming: boolean
  /** Names that the object around the cursor has already. */
  taken: readonly string[]
}

/** What the cursor stands in. */
export const cursorAt = (state: EditorState, position: number): Cursor => {
  const inner = syntaxTree(state).resolveInner(position, -1)
  const steps: string[] = []
  let object: Node | null = null
  let naming = inner.name === 'PropertyName' || inner.name === 'Object' || inner.name === '{'
  for (let node: Node | null = inner; node; node = node.parent) {
    if (node.name === 'Object') object ??= node
    if (node.name === 'Property' && !(node === inner || (naming && inner.parent === node))) steps.unshift(nameOf(state, node))
    else if (node.name === 'Property' && !naming) steps.unshift(nameOf(state, node))
    if (node.parent?.name === 'Array' && VALUES.has(node.name)) {
      const from = node.from
      steps.unshift(String(valuesIn(node.parent).findIndex((value) => value.from === from)))
    }
  }
  // Right behind a colon a value is awaited, although the tree has none yet.
  if (naming && /:\s*"?$/.test(state.sliceDoc(state.doc.lineAt(position).from, position)) && inner.name !== 'PropertyName')
    naming = false
  return { steps, naming, taken: object ? object.getChildren('Property').map((entry) => nameOf(state, entry)) : [] }
}
