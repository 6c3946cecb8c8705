/** Amounts in Chinese capitals (大写金额), as they are written on cheques, invoices and contracts. */
import type { Exact } from './decimal'

const DIGITS = '零壹贰叁肆伍陆柒捌玖'
const PLACES = ['仟', '佰', '拾', '']
/** Of the groups of four digits, the last one first. */
const GROUPS = ['', '万', '亿', '万']
/** Digits of an amount that has a name: 9999 万亿. */
const MOST_DIGITS = 16

/**
 * "1234.5" -> 壹仟贰佰叁拾肆元伍角整, rounded half up to two decimals; undefined for more than sixteen digits before the point.
 * One 零 stands for all noughts in a row between two digits, also of a group (壹万零伍佰), none for those at the end of a group
 * that the next digit follows at once (壹拾万柒仟).
 */
export function capitalsOf(amount: Exact): string | undefined {
  const [whole = '', cents = ''] = amount.abs().toFixed(2).split('.')
  if (whole.length > MOST_DIGITS) return undefined
  const yuan = wholeText(whole)
  const [jiao = '0', fen = '0'] = cents
  if (yuan === '' && cents === '00') return '零元整'
  const ten = jiao === '0' ? (fen !== '0' && yuan !== '' ? '零' : '') : `${digit(jiao)}角`
  return `${amount.isNegative() ? '负' : ''}${yuan && `${yuan}元`}${ten}${fen === '0' ? '整' : `${digit(fen)}分`}`
}

function wholeText(whole: string): string {
  const groups = whole.padStart(Math.ceil(whole.length / 4) * 4, '0').match(/.{4}/g) ?? []
  return groups.reduce((text, group, index) => {
    const place = groups.length - 1 - index
    // 万 of 亿: where nothing follows it before 亿, that name is said all the same
    const unit = place === 2 && text !== '' && group === '0000' ? '亿' : group === '0000' ? '' : GROUPS[place]!
    const gap = text !== '' && group !== '0000' && (group.startsWith('0') || groups[index - 1] === '0000') ? '零' : ''
    return text + gap + groupText(group) + unit
  }, '')
}

function groupText(group: string): string {
  return [...group.replace(/0+$/, '')]
    .map((char, index) => (char === '0' ? '0' : digit(char) + PLACES[index]!))
    .join('')
    .replace(/^0+/, '')
    .replace(/0+/g, '零')
}

function digit(char: string): string {
  return DIGITS[Number(char)]!
}
