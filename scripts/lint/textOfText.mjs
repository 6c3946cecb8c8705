import ts from 'typescript'

const { TypeFlags } = ts
const EMPTY = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void
const UNTOLD = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter
/** What stands before a point, or alone, without parentheses. */
const TIGHT = new Set([
  'Identifier',
  'MemberExpression',
  'CallExpression',
  'Literal',
  'TemplateLiteral',
  'ChainExpression',
  'TSNonNullExpression',
])

/**
 * `String(value)` where the type says what the value is: of a text it does nothing, and of what is empty at times it makes the word "null".
 * What is empty is said for itself: `value ?? ''`, an early return, a refusal.
 */
export const textOfText = {
  meta: {
    type: 'problem',
    fixable: 'code',
    messages: {
      text: 'This is a text already: leave String out.',
      empty: 'This is empty at times, which String makes the word "null": say what empty means.',
    },
    schema: [],
  },
  create(context) {
    const services = context.sourceCode.parserServices
    return {
      'CallExpression[callee.name="String"][arguments.length=1]'(node) {
        const [argument] = node.arguments
        if (argument.type === 'SpreadElement') return
        const type = services.getTypeAtLocation(argument)
        const parts = type.isUnion() ? type.types : [type]
        if (parts.some(({ flags }) => flags & UNTOLD)) return
        if (parts.some(({ flags }) => flags & EMPTY)) return context.report({ node, messageId: 'empty' })
        if (!parts.every(({ flags }) => flags & TypeFlags.StringLike)) return
        const text = context.sourceCode.getText(argument)
        context.report({
          node,
          messageId: 'text',
          fix: (fixer) => fixer.replaceText(node, TIGHT.has(argument.type) ? text : `(${text})`),
        })
      },
    }
  },
}
