import { tokenize, type Token } from './lexer'
import { findClosing } from './scan'

/** The text with one root of its expressions called otherwise; names behind a dot and keys of objects stay. */
export function renameRoot(text: string, from: string, to: string): string {
  let result = ''
  let rest = 0
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', rest)) {
    const close = findClosing(text, open + 2, text.length, '}}')
    if (close < 0) break
    for (const { start, end } of namesOf(tokenize(text, open + 2, close), from)) {
      result += text.slice(rest, start) + to
      rest = end
    }
    result += text.slice(rest, close)
    rest = close
  }
  return result + text.slice(rest)
}

const isMark = (token: Token | undefined, ...marks: string[]): boolean => token?.type === 'mark' && marks.includes(token.value)

const namesOf = (tokens: readonly Token[], name: string): Token[] =>
  tokens.filter((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    const isKey = isMark(before, '{', ',') && isMark(after, ':')
    return token.type === 'name' && token.value === name && !isMark(before, '.', '?.') && !isKey
  })
