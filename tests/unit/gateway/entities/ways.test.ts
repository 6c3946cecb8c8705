import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { allOf, anyOf, ofRow, type Clause } from '../../../../gateway/entities/clause'
import { isWider } from '../../../../gateway/entities/query/ways'

const [own, shared, live, paid] = ['own', 'shared', 'live', 'paid'].map((name) => sql`${sql.identifier(name)} = ${name}`)
const parent = (inside: Clause): Clause =>
  inside !== false && ofRow('t.orderId shop.order', inside, sql`exists (${inside === true ? sql`true` : inside})`)

describe('whether a condition lets more rows through', () => {
  it('is decided by its ways: a further one is wider, a further demand is not', () => {
    expect(isWider(own!, anyOf([own!, shared!]))).toBe(true)
    expect(isWider(anyOf([own!, shared!]), own!)).toBe(false)
    expect(isWider(anyOf([own!, shared!]), anyOf([shared!, own!]))).toBe(false)
    expect(isWider(own!, allOf([own!, paid!]))).toBe(false)
    expect(isWider(allOf([own!, paid!]), own!)).toBe(true)
    expect(isWider(allOf([live!, anyOf([own!, shared!])]), allOf([paid!, live!, shared!]))).toBe(false)
  })

  it('knows all and nothing, and other values', () => {
    expect(isWider(false, own!)).toBe(true)
    expect(isWider(own!, true)).toBe(true)
    expect(isWider(true, own!)).toBe(false)
    expect(isWider(own!, false)).toBe(false)
    expect(isWider(sql`state = ${'a'}`, sql`state = ${'b'}`)).toBe(true)
  })

  it('looks behind references: a narrower parent is not wider, a wider one is', () => {
    expect(isWider(parent(anyOf([own!, shared!])), parent(allOf([own!, paid!])))).toBe(false)
    expect(isWider(parent(own!), parent(anyOf([own!, shared!])))).toBe(true)
    expect(isWider(parent(own!), parent(true))).toBe(true)
    expect(isWider(parent(true), parent(own!))).toBe(false)
    expect(isWider(own!, parent(own!))).toBe(true)
  })
})
