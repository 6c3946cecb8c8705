/** Functions over texts. Nothing counts as an empty text. */
import type { Call, FunctionSpec } from '../call'
import { LIMITS } from '../problem'
import { limitedItems, limitedText } from '../values'
import { badArgument, listOf, stringOf } from './arguments'

function replaceAll(call: Call, [value, from, to]: readonly unknown[]): string {
  const [text, search, replacement] = [stringOf(value, call), stringOf(from, call), stringOf(to, call)]
  if (search === '') return text
  const pieces = text.split(search)
  // counted before it is made
  const length = text.length + (pieces.length - 1) * (replacement.length - search.length)
  if (length > LIMITS.text) throw badArgument('替换后的文本过长。', 'The text would become too long.')
  return pieces.join(replacement)
}

function joined(call: Call, [value, separator]: readonly unknown[]): string {
  const between = separator === undefined ? ', ' : stringOf(separator, call)
  let text = ''
  listOf(value, call).forEach((item, index) => {
    text = limitedText(text + (index === 0 ? '' : between) + stringOf(item, call))
  })
  return text
}

function split(call: Call, [value, separator]: readonly unknown[]): string[] {
  const text = stringOf(value, call)
  if (text === '') return []
  const pieces = text.split(stringOf(separator, call))
  call.charge(pieces.length)
  limitedItems(pieces.length)
  return pieces
}

export const TEXT_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: 'concat',
    signature: 'concat(text, ...)',
    arity: [1, 50],
    run: (call, given) => given.reduce<string>((text, value) => limitedText(text + stringOf(value, call)), ''),
  },
  {
    name: 'startsWith',
    signature: 'startsWith(text, beginning)',
    arity: [2, 2],
    run: (call, [text, beginning]) => stringOf(text, call).startsWith(stringOf(beginning, call)),
  },
  {
    name: 'endsWith',
    signature: 'endsWith(text, ending)',
    arity: [2, 2],
    run: (call, [text, ending]) => stringOf(text, call).endsWith(stringOf(ending, call)),
  },
  {
    name: 'lower',
    signature: 'lower(text)',
    arity: [1, 1],
    run: (call, [text]) => limitedText(stringOf(text, call).toLowerCase()),
  },
  {
    name: 'upper',
    signature: 'upper(text)',
    arity: [1, 1],
    run: (call, [text]) => limitedText(stringOf(text, call).toUpperCase()),
  },
  {
    name: 'trim',
    signature: 'trim(text)',
    arity: [1, 1],
    run: (call, [text]) => stringOf(text, call).trim(),
  },
  {
    name: 'join',
    signature: "join(list, separator = ', ')",
    arity: [1, 2],
    run: joined,
  },
  {
    name: 'split',
    signature: 'split(text, separator)',
    arity: [2, 2],
    run: split,
  },
  {
    name: 'replaceAll',
    signature: 'replaceAll(text, from, to)',
    arity: [3, 3],
    run: replaceAll,
  },
]
