/** Calls that can never work: all that they are given stands in the text, and the function refuses it. */
import { Exact } from '../formats/decimal'
import { childrenOf, type AnyNode, type Expression } from './ast'
import { DEFAULT_ENVIRONMENT, type Environment } from './call'
import { compileNode } from './compile'
import { Frame } from './frame'
import { FUNCTIONS } from './functions'
import { lacksSeldom } from './functions/onDemand'
import { ExpressionError, type ExpressionProblem } from './problem'

/** Whatever is asked of the world around it, it answers: what is refused is refused everywhere. */
const ANYWHERE: Environment = {
  ...DEFAULT_ENVIRONMENT,
  can: () => true,
  dictionaryLabel: () => undefined,
  exchangeRate: () => new Exact(1),
}

/** What is wrong with calls of constants alone, as `round('abc')` or `sum(5)`. The names are known to be right. */
export function checkConstants(expression: Expression): ExpressionProblem[] {
  const problems: ExpressionProblem[] = []
  const look = (node: AnyNode): void => {
    if (node.type !== 'call' || !isConstant(node)) childrenOf(node).forEach(look)
    else {
      try {
        compileNode(node, FUNCTIONS)(new Frame({}, ANYWHERE))
      } catch (error) {
        // where that is not loaded yet, the gateway checks it
        if (error instanceof ExpressionError && !lacksSeldom()) problems.push({ ...error.problem, code: 'wrong-arguments' })
      }
    }
  }
  look(expression.node)
  return problems
}

function isConstant(node: AnyNode): boolean {
  return !['root', 'local', 'arrow'].includes(node.type) && childrenOf(node).every(isConstant)
}
