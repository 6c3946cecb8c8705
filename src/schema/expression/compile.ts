/**
 * Tree -> closures: each node becomes one small JavaScript closure, made once and run often. No text is ever turned into
 * code. Work that the text's own length bounds is free; loops pay steps.
 */
import type { ArrowNode, CallNode, IndexNode, MemberNode, Node, ObjectNode, SpreadNode, TemplateNode } from './ast'
import { Amount, calculate } from './amount'
import { childrenOf, type AnyNode } from './ast'
import type { FunctionTable, Lambda } from './call'
import type { Run } from './frame'
import { binary } from './operators'
import { locate, problemAt, type Span } from './problem'
import { entriesOf, itemsOf, limitedItems, limitedText, primitive, readMember, textOf, toKey } from './values'

/** What an optional chain answers once `?.` met nothing; never leaves `chain`. */
const SKIPPED = Symbol('skipped')

export function compileNode(node: Node, functions: FunctionTable): Run {
  return new Compiler(functions).node(node)
}

class Compiler {
  private slotCount = 0
  private readonly slotOf = new Map<string, number[]>()

  constructor(private readonly functions: FunctionTable) {}

  node(node: Node): Run {
    switch (node.type) {
      case 'literal': {
        const value = node.value
        return () => value
      }
      case 'root': {
        const { name } = node
        return (frame) => readMember(frame.scope, name, node, frame)
      }
      case 'local': {
        const slot = this.slotOf.get(node.name)!.at(-1)!
        return (frame) => frame.locals[slot]
      }
      case 'template':
        return this.template(node)
      case 'member':
        return this.member(node)
      case 'index':
        return this.index(node)
      case 'chain': {
        const body = this.node(node.body)
        return (frame) => {
          const value = body(frame)
          return value === SKIPPED ? undefined : value
        }
      }
      case 'call':
        return this.call(node)
      case 'unary':
        return this.unary(node.operator, this.node(node.operand), node)
      case 'binary':
        return binary(node.operator, this.node(node.left), this.node(node.right), node)
      case 'logical': {
        const left = this.node(node.left)
        const right = this.node(node.right)
        if (node.operator === '&&') return (frame) => left(frame) && right(frame)
        if (node.operator === '||') return (frame) => left(frame) || right(frame)
        return (frame) => left(frame) ?? right(frame)
      }
      case 'conditional': {
        const [test, yes, no] = [this.node(node.test), this.node(node.yes), this.node(node.no)]
        return (frame) => (test(frame) ? yes(frame) : no(frame))
      }
      case 'array':
        return this.array(node.items, node)
      case 'object':
        return this.object(node)
    }
  }

  private template(node: TemplateNode): Run {
    const { texts } = node
    const runs = node.values.map((value) => this.node(value))
    return (frame) => {
      let result = texts[0]!
      for (let index = 0; index < runs.length; index += 1) {
        result = limitedText(result + textOf(runs[index]!(frame), node, frame) + texts[index + 1]!, node)
      }
      return result
    }
  }

  private member(node: MemberNode): Run {
    const object = this.node(node.object)
    const { key, optional } = node
    return (frame) => {
      const target = object(frame)
      if (target === SKIPPED || (optional && (target === null || target === undefined))) return SKIPPED
      return readMember(target, key, node, frame)
    }
  }

  private index(node: IndexNode): Run {
    const object = this.node(node.object)
    const index = this.node(node.index)
    return (frame) => {
      const target = object(frame)
      if (target === SKIPPED || (node.optional && (target === null || target === undefined))) return SKIPPED
      return readMember(target, toKey(index(frame), node.index), node, frame)
    }
  }

  private call(node: CallNode): Run {
    const spec = this.functions.get(node.name)
    if (!spec)
      throw problemAt(node, 'unknown-function', { zh: `没有函数“${node.name}”。`, en: `There is no function "${node.name}".` })
    const runs = node.arguments.map((given) => (given.type === 'arrow' ? this.arrow(given) : this.node(given)))
    const { run } = spec
    spec.want?.()
    return (frame) => {
      const given = new Array<unknown>(runs.length)
      for (let index = 0; index < runs.length; index += 1) given[index] = runs[index]!(frame)
      try {
        return run(frame, given)
      } catch (error) {
        throw locate(error, node)
      }
    }
  }

  private arrow(node: ArrowNode): Run {
    const slots = node.parameters.map((name) => {
      const slot = this.slotCount++
      this.slotOf.set(name, [...(this.slotOf.get(name) ?? []), slot])
      return slot
    })
    const body = this.node(node.body)
    for (const name of node.parameters) this.slotOf.get(name)!.pop()
    const cost = countNodes(node.body)
    return (frame): Lambda =>
      (...values) => {
        frame.charge(cost)
        for (let index = 0; index < slots.length; index += 1) frame.locals[slots[index]!] = values[index]
        return body(frame)
      }
  }

  private unary(operator: string, operand: Run, span: Span): Run {
    switch (operator) {
      case '!':
        return (frame) => !operand(frame)
      case 'typeof':
        return (frame) => typeNameOf(operand(frame))
      case '-':
        return (frame) => {
          const value = operand(frame)
          return value instanceof Amount ? calculate('*', value, -1, span) : -Number(primitive(value, span))
        }
      default:
        return (frame) => {
          const value = operand(frame)
          return value instanceof Amount ? value : Number(primitive(value, span))
        }
    }
  }

  private array(items: readonly (Node | SpreadNode)[], span: Span): Run {
    if (!items.some((item) => item.type === 'spread')) {
      const runs = items.map((item) => this.node(item as Node))
      return (frame) => runs.map((run) => run(frame))
    }
    const parts = items.map((item) => ({
      spread: item.type === 'spread',
      run: this.node(item.type === 'spread' ? item.value : item),
    }))
    return (frame) => {
      const result: unknown[] = []
      for (const part of parts) {
        const value = part.run(frame)
        if (!part.spread) result.push(value)
        else if (Array.isArray(value)) {
          limitedItems(result.length + value.length, span)
          for (const item of itemsOf(value, frame)) result.push(item)
        } else throw notAList(span)
      }
      return result
    }
  }

  private object(node: ObjectNode): Run {
    const parts = node.entries.map((entry) => {
      if (entry.type === 'spread')
        return { spread: true, key: '', computed: undefined, value: this.node(entry.value), span: entry }
      const fixed = typeof entry.key === 'string'
      return {
        spread: false,
        key: fixed ? (entry.key as string) : '',
        computed: fixed ? undefined : this.node(entry.key as Node),
        value: this.node(entry.value),
        span: entry as Span,
      }
    })
    return (frame) => {
      const result: Record<string, unknown> = {}
      for (const part of parts) {
        if (!part.spread) {
          const key = part.computed ? toKey(part.computed(frame), part.span) : part.key
          result[key] = part.value(frame)
          continue
        }
        const value = part.value(frame)
        if (typeof value === 'object' && value !== null) {
          for (const [key, member] of entriesOf(value, frame)) result[key] = member
        } else if (typeof value === 'string') throw notAList(part.span)
      }
      return result
    }
  }
}

function typeNameOf(value: unknown): string {
  return value instanceof Amount ? 'number' : typeof value
}

function notAList(span: Span): Error {
  return problemAt(span, 'bad-argument', {
    zh: '“...”后面须是列表（在对象中须是对象）。',
    en: 'After "..." there has to be a list, or inside an object an object.',
  })
}

function countNodes(node: AnyNode): number {
  return childrenOf(node).reduce((sum, child) => sum + countNodes(child), 1)
}
