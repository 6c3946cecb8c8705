interface Node {
  type: string
  value?: string
  url?: string
  children?: Node[]
}

/** What a number in brackets leads to: the source of that number. */
export const CITED = '#source-'

/** Numbers in brackets become links to the sources of the answer; those in code and in links stay what they are. */
export function remarkCitations() {
  return (tree: Node): void => cite(tree)
}

function cite(node: Node): void {
  if (node.type === 'link' || !node.children) return
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text' || child.value === undefined) {
      cite(child)
      return [child]
    }
    return child.value
      .split(/(\[\d{1,2}\])/)
      .filter((part) => part !== '')
      .map((part): Node => {
        const number = /^\[(\d{1,2})\]$/.exec(part)?.[1]
        if (number === undefined) return { type: 'text', value: part }
        return { type: 'link', url: `${CITED}${number}`, children: [{ type: 'text', value: number }] }
      })
  })
}
