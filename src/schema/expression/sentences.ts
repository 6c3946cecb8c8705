/** What the parser says, in both languages. */
import { LIMITS, problemAt, type Span } from './problem'

export function tooDeep(span: Span): Error {
  return problemAt(span, 'too-deep', {
    zh: `表达式嵌套过深（最多 ${LIMITS.depth} 层），请拆成几个字段。`,
    en: `The expression is nested too deeply (at most ${LIMITS.depth} levels): split it over several fields.`,
  })
}

export function unexpected(span: Span, what: string, wanted?: string): Error {
  return problemAt(span, 'unexpected-token', {
    zh: wanted ? `此处应为“${wanted}”，却是“${what}”。` : `此处不应出现“${what}”。`,
    en: wanted ? `"${wanted}" is expected here, not "${what}".` : `"${what}" is not expected here.`,
  })
}

export function refusedMark(span: Span, mark: string): Error {
  if (mark === '//' || mark === '/*') {
    return problemAt(span, 'forbidden-syntax', { zh: '表达式中不能写注释。', en: 'Comments cannot be written in an expression.' })
  }
  if (mark.endsWith('=')) {
    return problemAt(
      span,
      'forbidden-syntax',
      {
        zh: `表达式不能赋值（“${mark}”）。比较请用“===”。`,
        en: `An expression cannot assign ("${mark}"). To compare, write "===".`,
      },
      '===',
    )
  }
  return problemAt(span, 'forbidden-syntax', {
    zh: `表达式语言不支持“${mark}”。`,
    en: `"${mark}" is not part of the expression language.`,
  })
}

export function refusedWord(token: Span & { value: string }): Error {
  return problemAt(token, 'forbidden-syntax', {
    zh: `表达式语言不支持“${token.value}”。`,
    en: `"${token.value}" is not part of the expression language.`,
  })
}

/** Refusals that need no names. */
export const refusals = {
  empty: { zh: '表达式是空的。', en: 'The expression is empty.' },
  arrowOutsideCall: {
    zh: '箭头函数只能作为函数的参数，例如 map(rows, r => r.name)。',
    en: 'An arrow function may only be an argument of a function, for example map(rows, r => r.name).',
  },
  arrowBody: {
    zh: '箭头函数不能有函数体，请直接写一个表达式；要返回对象请加圆括号。',
    en: 'An arrow function cannot have a body: write one expression; put an object into round brackets.',
  },
  tag: { zh: '不能在模板文本前加标签。', en: 'Template texts cannot be tagged.' },
  regularExpression: {
    zh: '不能使用正则表达式，请用 includes、startsWith 等函数。',
    en: 'Regular expressions cannot be used: use includes, startsWith and the like.',
  },
  spreadArgument: {
    zh: '函数的参数不能用“...”展开，请直接传入列表。',
    en: 'Arguments cannot be spread with "...": give the list itself.',
  },
}
