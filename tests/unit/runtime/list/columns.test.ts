import { describe, expect, it } from 'vitest'
import { actionsWidth, drawColumns, shownActions } from '../../../../src/runtime/list/columns'
import { headerWidth } from '../../../../src/schema/compile/textWidth'
import { action, column } from '../../../support/models'

const named = (...labels: string[]) => labels.map((label) => ({ ...action(label, { type: 'copy', text: () => '' }), label }))

describe('The action column', () => {
  it('shows two actions in a row, one when their words are long', () => {
    expect(shownActions(['Follow up', 'Edit', 'Add contact'])).toBe(2)
    expect(shownActions(['Renew agreement', 'Level and commission'])).toBe(1)
  })

  it('is as wide as what may stand in it, and no list gives it a fifth of a screen', () => {
    expect(actionsWidth([], '•••')).toBe(0)
    expect(actionsWidth(named('重试'), '•••')).toBe(56)
    expect(actionsWidth(named('Retry'), '•••', 'Actions')).toBeGreaterThan(80)
    expect(actionsWidth(named('Follow up', 'Edit', 'Add contact', 'Transfer'), '•••')).toBeLessThan(205)
    expect(actionsWidth(named('Renew agreement', 'Level and commission', 'Copy invite link'), '•••')).toBeLessThan(240)
  })

  it('has room for later actions where a row may not offer the first ones', () => {
    const actions = named('接受', '跟进', '转交', '标记无效', '查看客户')
    expect(actionsWidth(actions, '•••')).toBeGreaterThanOrEqual(actionsWidth(actions.slice(3), '•••'))
    const [accept, ...later] = actions
    const sure = [accept!, ...later.map((one) => ({ ...one, always: true as const }))]
    expect(actionsWidth(sure, '•••')).toBe(actionsWidth(actions.slice(0, 3), '•••'))
  })

  it('leaves no room for a third action when every row offers the first two', () => {
    const three = named('跟进', '编辑', '添加联系人')
    const sure = three.map((one) => ({ ...one, always: true as const }))
    expect(actionsWidth(sure, '•••')).toBe(actionsWidth([...sure.slice(0, 2), ...named('短')], '•••'))
    expect(actionsWidth(sure, '•••')).toBeLessThan(actionsWidth(three, '•••'))
  })
})

it('The width that is left goes to what opens the record, else to the first written text, else to all columns', () => {
  const flexible = (...columns: ReturnType<typeof column>[]) =>
    drawColumns(columns, 0, 0).flatMap((drawn) => (drawn.flexible ? [drawn.id] : []))
  const [at, kind, note] = [column('at', 'dateTime'), column('kind', 'dictionary'), column('note', 'text')]
  expect(flexible(at, kind, note, column('reason'))).toEqual(['note'])
  expect(flexible(at, note, column('code', 'string', { open: () => '/' }))).toEqual(['code'])
  expect(flexible(at, kind)).toEqual([])
  expect(drawColumns([at, note], 0, 0, { note: 90 }).some((drawn) => drawn.flexible)).toBe(false)
})

it('A header has room for two lines and its longest word, up to a limit', () => {
  expect(headerWidth('Name')).toBeLessThan(80)
  const long = headerWidth('Last follow-up by the owner')
  expect(long).toBeGreaterThan(130)
  expect(long).toBeLessThan(190)
  expect(headerWidth('最近一次跟进的时间与负责人')).toBeLessThan(170)
  expect(headerWidth('x'.repeat(80))).toBe(200)
})
