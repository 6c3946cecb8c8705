/**
 * Tokens -> tree: JavaScript's expression grammar (precedence, associativity, optional chains) without assignment, `new`,
 * `this`, function bodies, template tags and operators on bits. Our own few hundred lines because existing small parsers
 * are looser than JavaScript (they read `f(a b)`, forget where `?.` ends, and know no positions).
 */
import type { ArrowNode, BinaryOperator, LogicalOperator, Node, ObjectNode, PairNode, SpreadNode, UnaryOperator } from './ast'
import { childrenOf, type AnyNode } from './ast'
import { tokenize, type MarkToken, type NameToken, type TemplateToken, type Token } from './lexer'
import { forbiddenName, isForbiddenName, LIMITS, problemAt, type Span } from './problem'
import { LITERALS, LOGICAL, PRECEDENCE, RESERVED, UNARY } from './grammar'
import { notCallable, refusals, refusedWord, tooDeep, unexpected } from './sentences'

/** Parses `text` from `start` to `end`. Throws `ExpressionError`. */
export function parseSource(text: string, start: number, end: number): Node {
  return new Parser(text).source(start, end)
}

class Parser {
  private tokens: Token[] = []
  private at = 0
  private nesting = 0
  private readonly locals: string[] = []
  private readonly grouped = new WeakSet<AnyNode>()
  private readonly depths = new WeakMap<AnyNode, number>()

  constructor(private readonly text: string) {}

  source(start: number, end: number): Node {
    const outer = { tokens: this.tokens, at: this.at }
    this.tokens = tokenize(this.text, start, end)
    this.at = 0
    if (this.tokens.length === 1) {
      throw problemAt({ start, end }, 'empty-expression', refusals.empty)
    }
    const node = this.expression()
    const rest = this.peek()
    if (rest.type !== 'end') throw unexpected(rest, this.textOf(rest))
    this.tokens = outer.tokens
    this.at = outer.at
    return node
  }

  private peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!
  }

  private next(): Token {
    const token = this.peek()
    this.at += 1
    return token
  }

  private isMark(value: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.type === 'mark' && token.value === value
  }

  private take(value: string): boolean {
    if (!this.isMark(value)) return false
    this.at += 1
    return true
  }

  private expect(value: string): Token {
    const token = this.next()
    if (token.type !== 'mark' || token.value !== value) throw unexpected(token, this.textOf(token), value)
    return token
  }

  private textOf(span: Span & { type?: string }): string {
    return span.type === 'end' ? '⏎' : this.text.slice(span.start, Math.min(span.end, span.start + 40))
  }

  /** Registers a node's depth, so that neither evaluation nor analysis can run out of stack. */
  private made<T extends AnyNode>(node: T): T {
    let depth = 1
    for (const child of childrenOf(node)) depth = Math.max(depth, 1 + (this.depths.get(child) ?? 0))
    if (depth > LIMITS.depth) throw tooDeep(node)
    this.depths.set(node, depth)
    return node
  }

  private nested<T>(read: () => T): T {
    this.nesting += 1
    if (this.nesting > LIMITS.depth) throw tooDeep(this.peek())
    const result = read()
    this.nesting -= 1
    return result
  }

  private expression(): Node {
    return this.nested(() => {
      if (this.arrowAhead()) {
        throw problemAt(this.peek(), 'arrow-outside-call', refusals.arrowOutsideCall)
      }
      const test = this.operators(1)
      if (!this.take('?')) return test
      const yes = this.expression()
      this.expect(':')
      const no = this.expression()
      return this.made({ type: 'conditional', test, yes, no, start: test.start, end: no.end })
    })
  }

  private operators(lowest: number): Node {
    let left = this.unary()
    for (;;) {
      const token = this.peek()
      const operator = token.type === 'mark' ? token.value : this.refusedOperator(token)
      const precedence = PRECEDENCE[operator] ?? 0
      if (precedence < lowest) return left
      this.at += 1
      if (operator === '**' && left.type === 'unary' && !this.grouped.has(left)) throw unexpected(token, '**')
      const right = operator === '**' ? this.nested(() => this.operators(precedence)) : this.operators(precedence + 1)
      const span = { start: left.start, end: right.end }
      if (LOGICAL.has(operator)) {
        this.refuseMixing(operator, token, left, right)
        left = this.made({ type: 'logical', operator: operator as LogicalOperator, left, right, ...span })
      } else {
        left = this.made({ type: 'binary', operator: operator as BinaryOperator, left, right, ...span })
      }
    }
  }

  /** `in` and `instanceof` deserve their own sentence. */
  private refusedOperator(token: Token): string {
    if (token.type === 'name' && (token.value === 'in' || token.value === 'instanceof')) throw refusedWord(token)
    if (token.type === 'template') {
      throw problemAt(token, 'forbidden-syntax', refusals.tag)
    }
    return ''
  }

  /** JavaScript refuses `a ?? b || c` without brackets, and so do we. */
  private refuseMixing(operator: string, token: Token, ...sides: Node[]): void {
    for (const side of sides) {
      if (side.type !== 'logical' || this.grouped.has(side)) continue
      if ((operator === '??') !== (side.operator === '??')) {
        throw problemAt(token, 'unexpected-token', {
          zh: `“??”与“${operator === '??' ? side.operator : operator}”一起用时须加括号。`,
          en: `Put brackets where "??" meets "${operator === '??' ? side.operator : operator}".`,
        })
      }
    }
  }

  private unary(): Node {
    const token = this.peek()
    const isTypeof = token.type === 'name' && token.value === 'typeof'
    if (!isTypeof && !(token.type === 'mark' && UNARY.has(token.value))) return this.postfix()
    this.at += 1
    const operand = this.nested(() => this.unary())
    const operator = (token as NameToken | MarkToken).value as UnaryOperator
    return this.made({ type: 'unary', operator, operand, start: token.start, end: operand.end })
  }

  private postfix(): Node {
    let node = this.primary()
    let chained = false
    for (;;) {
      const optional = this.isMark('?.')
      if (optional || this.isMark('.')) {
        this.at += 1
        chained ||= optional
        if (optional && this.isMark('[')) node = this.index(node, true)
        else node = this.member(node, optional)
      } else if (this.isMark('[')) node = this.index(node, false)
      else break
    }
    const token = this.peek()
    if (token.type === 'mark' && token.value === '(') throw this.notCallable(node, token)
    if (token.type === 'template') this.refusedOperator(token)
    return chained ? this.made({ type: 'chain', body: node, start: node.start, end: node.end }) : node
  }

  private notCallable(node: Node, token: Token): Error {
    const text = this.text.slice(node.start, node.end).slice(0, 60)
    return notCallable({ start: node.start, end: token.end }, text, node.type === 'member' ? node.key : undefined)
  }

  private member(object: Node, optional: boolean): Node {
    const token = this.next()
    if (token.type !== 'name') {
      if (optional && token.type === 'mark' && token.value === '(') throw this.notCallable(object, token)
      throw unexpected(token, this.textOf(token))
    }
    if (isForbiddenName(token.value)) throw forbiddenName(token, token.value)
    return this.made({ type: 'member', object, key: token.value, optional, start: object.start, end: token.end })
  }

  private index(object: Node, optional: boolean): Node {
    this.expect('[')
    const index = this.expression()
    const end = this.expect(']').end
    if (index.type === 'literal' && isForbiddenName(String(index.value))) throw forbiddenName(index, String(index.value))
    return this.made({ type: 'index', object, index, optional, start: object.start, end })
  }

  private primary(): Node {
    const token = this.next()
    switch (token.type) {
      case 'number':
      case 'string':
        return this.made({ type: 'literal', value: token.value, start: token.start, end: token.end })
      case 'template':
        return this.template(token)
      case 'name':
        return this.name(token)
      case 'end':
        throw unexpected(token, '⏎')
      case 'mark':
        if (token.value === '(') return this.group(token)
        if (token.value === '[') return this.array(token)
        if (token.value === '{') return this.object(token)
        if (token.value === '/') {
          throw problemAt(token, 'forbidden-syntax', refusals.regularExpression)
        }
        throw unexpected(token, token.value)
    }
  }

  private template(token: TemplateToken): Node {
    const values = token.holes.map((hole) => this.nested(() => this.source(hole.start, hole.end)))
    return this.made({ type: 'template', texts: token.texts, values, start: token.start, end: token.end })
  }

  private name(token: NameToken): Node {
    const { value: name, start, end } = token
    if (LITERALS.has(name)) return this.made({ type: 'literal', value: LITERALS.get(name), start, end })
    if (RESERVED.has(name)) throw refusedWord(token)
    if (isForbiddenName(name)) throw forbiddenName(token, name)
    if (this.locals.includes(name)) return this.made({ type: 'local', name, start, end })
    if (!this.isMark('(')) return this.made({ type: 'root', name, start, end })
    this.at += 1
    const given: (Node | ArrowNode)[] = []
    while (!this.isMark(')')) {
      given.push(this.argument())
      if (!this.take(',')) break
    }
    return this.made({ type: 'call', name, arguments: given, start, end: this.expect(')').end })
  }

  private argument(): Node | ArrowNode {
    if (this.isMark('...')) {
      throw problemAt(this.peek(), 'forbidden-syntax', refusals.spreadArgument)
    }
    return this.arrowAhead() ? this.nested(() => this.arrow()) : this.expression()
  }

  private arrowAhead(): boolean {
    const token = this.peek()
    if (token.type === 'name') return this.isMark('=>', 1)
    if (token.type !== 'mark' || token.closing === undefined || token.value !== '(') return false
    const after = this.tokens[token.closing + 1]
    return after?.type === 'mark' && after.value === '=>'
  }

  private arrow(): ArrowNode {
    const start = this.peek().start
    const parameters: string[] = []
    if (this.take('(')) {
      while (!this.isMark(')')) {
        parameters.push(this.parameter(parameters))
        if (!this.take(',')) break
      }
      this.expect(')')
    } else parameters.push(this.parameter(parameters))
    this.expect('=>')
    if (this.isMark('{')) {
      throw problemAt(this.peek(), 'forbidden-syntax', refusals.arrowBody)
    }
    this.locals.push(...parameters)
    const body = this.expression()
    this.locals.length -= parameters.length
    return this.made({ type: 'arrow', parameters, body, start, end: body.end })
  }

  private parameter(before: readonly string[]): string {
    const token = this.next()
    if (token.type !== 'name' || before.includes(token.value)) throw unexpected(token, this.textOf(token))
    if (RESERVED.has(token.value) || LITERALS.has(token.value) || token.value === 'typeof') throw refusedWord(token)
    if (isForbiddenName(token.value)) throw forbiddenName(token, token.value)
    return token.value
  }

  private group(open: Token): Node {
    const node = this.expression()
    const comma = this.peek()
    if (comma.type === 'mark' && comma.value === ',') throw unexpected(comma, ',', ')')
    this.expect(')')
    // a new object, so that the brackets end an optional chain and settle what `??` may meet
    const inner = { ...node, start: open.start, end: this.tokens[this.at - 1]!.end }
    this.depths.set(inner, this.depths.get(node) ?? 1)
    this.grouped.add(inner)
    return inner
  }

  private array(open: Token): Node {
    const items: (Node | SpreadNode)[] = []
    while (!this.isMark(']')) {
      items.push(this.isMark('...') ? this.spread() : this.expression())
      if (!this.take(',')) break
    }
    return this.made({ type: 'array', items, start: open.start, end: this.expect(']').end })
  }

  private spread(): SpreadNode {
    const start = this.expect('...').start
    const value = this.expression()
    return this.made({ type: 'spread', value, start, end: value.end })
  }

  private object(open: Token): ObjectNode {
    const entries: (PairNode | SpreadNode)[] = []
    while (!this.isMark('}')) {
      entries.push(this.isMark('...') ? this.spread() : this.pair())
      if (!this.take(',')) break
    }
    return this.made({ type: 'object', entries, start: open.start, end: this.expect('}').end })
  }

  private pair(): PairNode {
    const token = this.next()
    let key: string | Node
    if (token.type === 'mark' && token.value === '[') {
      key = this.expression()
      this.expect(']')
    } else if (token.type === 'name' || token.type === 'string' || token.type === 'number') key = String(token.value)
    else throw unexpected(token, this.textOf(token))
    const fixed = typeof key === 'string' ? key : key.type === 'literal' ? String(key.value) : undefined
    if (fixed !== undefined && isForbiddenName(fixed)) throw forbiddenName(token, fixed)
    if (token.type === 'name' && (this.isMark(',') || this.isMark('}'))) {
      const value = this.shorthand(token)
      return this.made({ type: 'pair', key, value, start: token.start, end: token.end })
    }
    this.expect(':')
    const value = this.expression()
    return this.made({ type: 'pair', key, value, start: token.start, end: value.end })
  }

  private shorthand(token: NameToken): Node {
    if (LITERALS.has(token.value) && token.value !== 'undefined') throw unexpected(token, token.value)
    if (token.value === 'typeof') throw refusedWord(token)
    return this.name(token)
  }
}
