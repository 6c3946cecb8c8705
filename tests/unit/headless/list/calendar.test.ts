import { expect, it } from 'vitest'
import { calendarBody, monthAfter, monthWhere, rowsByDay, timeOf, weeksOf } from '../../../../src/headless/list/calendar'
import { parseQuery, writeQuery } from '../../../../src/headless/list/query'
import { layoutOf } from '../../../../src/headless/list/request'
import { field, listBody } from '../../../support/models'

const calendar = { field: field('plannedAt', 'dateTime') }
const body = listBody({ calendar, sort: [{ field: 'name', order: 'desc' }] })

it('a month has the weeks that it touches, from Monday on', () => {
  const weeks = weeksOf('2026-03')
  expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.[6]]).toEqual([6, '2026-02-23', '2026-04-05'])
  // February of 2027 begins on a Monday and has four weeks
  expect(weeksOf('2027-02').map(([monday]) => monday)).toEqual(['2027-02-01', '2027-02-08', '2027-02-15', '2027-02-22'])
  expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

it('a calendar asks what the list asks, day after day, within the days that are shown', () => {
  expect(calendarBody(body, calendar, parseQuery(body, 'page=3&q=abc', {}), { scope: {} })).toMatchObject({
    pageNo: 1,
    keyword: 'abc',
    sort: [{ field: 'plannedAt', order: 'asc' }],
  })
  expect(monthWhere(calendar, '2026-03')).toEqual([
    { field: 'plannedAt', operator: 'between', value: ['2026-02-23', '2026-04-05'] },
  ])
})

it('a moment stands on its day of the company, with the time of day there', () => {
  const late = { id: '1', plannedAt: '2026-03-01T16:30:00.000Z' }
  const days = rowsByDay(calendar, [late, { id: '2', plannedAt: null }], 'Asia/Shanghai')
  expect([...days]).toEqual([['2026-03-02', [late]]])
  expect(timeOf(calendar, late, 'Asia/Shanghai')).toBe('00:30')
  expect(timeOf({ field: field('dueOn', 'date') }, { dueOn: '2026-03-01' }, 'Asia/Shanghai')).toBeUndefined()
})

it('layout and month stand in the address; a list without a day stays a table', () => {
  const query = parseQuery(body, 'layout=calendar&month=2026-03', {})
  expect(writeQuery(body, query, '', {})).toBe('layout=calendar&month=2026-03')
  expect(layoutOf(body, undefined, query)).toBe('calendar')
  expect(layoutOf(listBody(), undefined, query)).toBe('table')
  expect(parseQuery(body, 'layout=timeline&month=2026-13', {})).not.toHaveProperty('month')
})
