import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FormField, Node, ProcessDocument } from '../../../../src/schema/generated/process'
import { formPage, hashOf, isForPeople, rightsOf, tolerantText, walkNodes } from '../../../../src/schema/process'
import { exposureOf } from '../../../../src/schema/proof'
import { evaluate, ExpressionError } from '../../../../src/schema/expression'
import { problemsOf } from '../validate/world'
import { limit, modelOf } from './world'

const text = (zh: string, en: string) => ({ zh, en })
const source = (value: unknown) => ({
  where: 'schemas/demo/processes/any.json',
  type: 'process' as const,
  name: 'demo/any',
  value,
})

const KINDS: readonly (() => FormField)[] = [
  () => ({ type: 'string', 'x-label': text('文本', 'Text') }),
  () => ({ type: 'integer', 'x-label': text('数', 'Number') }),
  () => ({ type: 'string', format: 'money', 'x-money': 'CNY', 'x-label': text('金额', 'Amount') }),
  () => ({ type: 'boolean', 'x-label': text('是否', 'Yes or no') }),
  () => ({ type: 'string', format: 'date', 'x-label': text('日期', 'Date') }),
  () => ({ type: 'string', 'x-dictionary': 'itemStatus', 'x-label': text('状态', 'Status') }),
  () => ({ type: 'string', 'x-ref': 'demo.item', 'x-label': text('物品', 'Item') }),
  () => ({ type: 'array', items: { type: 'string' }, 'x-ref': 'demo.item', 'x-label': text('物品', 'Items') }),
]

/** A cell, or a field without rows. */
const plainField = fc.nat(KINDS.length - 1).map((index) => KINDS[index]!())
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `f${index}`)

const fieldsArb = fc
  .tuple(fc.array(plainField, { minLength: 2, maxLength: 9 }), fc.array(plainField, { maxLength: 4 }))
  .map(([fields, cells]): Record<string, FormField> => ({
    ...Object.fromEntries(fields.map((field, index) => [`f${index}`, field])),
    ...(cells.length === 0
      ? {}
      : {
          rows: {
            type: 'array' as const,
            'x-label': text('明细', 'Lines'),
            rows: { fields: Object.fromEntries(cells.map((cell, index) => [`c${index}`, cell])) },
          },
        }),
  }))

/** Something that every field of these kinds can be asked. */
const conditionOf = (field: string): string => `{{ ${field} != null && ${field} !== 'x' }}`

const rightsArb = (fields: Record<string, FormField>) =>
  fc.dictionary(fc.constantFrom(...Object.keys(fields)), fc.constantFrom('H', 'R', 'E', 'M'), { noNullPrototype: true })

type Tree = { kind: 'approve' | 'handle' | 'cc' } | { kind: 'condition' | 'inclusive' | 'parallel'; branches: Tree[][] }
const { nodes: treeArb } = fc.letrec<{ nodes: Tree[]; node: Tree }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 3 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Tree>({ kind: 'approve' }, { kind: 'handle' }, { kind: 'cc' }),
    fc.record({
      kind: fc.constantFrom('condition' as const, 'inclusive' as const, 'parallel' as const),
      branches: fc.array(tie('nodes'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

const processArb = fieldsArb.chain((fields) =>
  fc.tuple(treeArb, fc.array(rightsArb(fields), { minLength: 1, maxLength: 6 })).map(([tree, rights]): ProcessDocument => {
    let made = 0
    const nodeOf = (one: Tree): Node => {
      const id = `n${(made += 1)}`
      if ('branches' in one)
        return {
          id,
          kind: one.kind,
          branches: one.branches.map((inner, index) => ({
            id: `b${index}`,
            ...(one.kind === 'parallel' || index === one.branches.length - 1 ? {} : { when: conditionOf('f0') }),
            nodes: inner.map(nodeOf),
          })),
        }
      return {
        id,
        kind: one.kind,
        label: text('处理', 'Step'),
        assignees: [{ rule: 'deptLeader', level: 2 }],
        ...(one.kind === 'cc' ? {} : { fieldRights: rights[made % rights.length] as Node['fieldRights'] }),
      }
    }
    return {
      formatVersion: 3,
      name: 'any',
      label: text('任意', 'Any'),
      group: 'ops',
      prefix: 'ANY',
      form: { fields, groups: [{ id: 'main', title: text('主要', 'Main'), fields: names(2) }] },
      nodes: [{ id: 'start', kind: 'start' }, ...tree.map(nodeOf), { id: 'end', kind: 'end' }],
    } as ProcessDocument
  }),
)

describe('Any process that is right', () => {
  it('stays right, and the same, through JSON', () => {
    fc.assert(
      fc.property(processArb, (process) => {
        const again = JSON.parse(JSON.stringify(process)) as ProcessDocument
        expect(problemsOf([source(again)])).toEqual([])
        expect(hashOf(again)).toBe(hashOf(process))
      }),
      { numRuns: 60 },
    )
  })

  it('is drawn with the rights of every node, and no page shows, edits or sends a field that is hidden there', () => {
    fc.assert(
      fc.property(processArb, (process) => {
        for (const id of [
          null,
          ...[...walkNodes(process)].filter((node) => node.kind === 'start' || isForPeople(node)).map((node) => node.id),
        ]) {
          const rights = rightsOf(process, id)
          const uses = exposureOf(modelOf(process, rights))
          for (const [name, right] of Object.entries(rights)) {
            const [first = '', cell] = name.split('.')
            const field = cell === undefined ? `form.any.${first}` : `formrow.anyRows.${cell}`
            const use = uses.get(field)
            if (right === 'H') expect(use === undefined || !(use.shown || use.editable || use.sent), `${id} ${name}`).toBe(true)
            if (right === 'R' && first !== 'rows') expect(use?.editable ?? false, `${id} ${name}`).toBe(false)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** Every place of a value, as the steps that lead there. */
const placesIn = (value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] =>
  typeof value === 'object' && value !== null
    ? [
        path,
        ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, Array.isArray(value) ? Number(key) : key])),
      ]
    : [path]

const put = (value: unknown, [step, ...rest]: readonly (string | number)[], replacement: unknown): unknown => {
  if (step === undefined) return replacement
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string | number, unknown>
  if (rest.length === 0 && replacement === undefined) delete copy[step]
  else copy[step] = put(copy[step], rest, replacement)
  return copy
}

describe('A process that somebody spoilt', () => {
  const places = placesIn(limit())
  const junk = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      '',
      '{{',
      '{{ }}',
      '{{ a.b.c.d }}',
      '{{ constructor }}',
      'limit',
      '__proto__',
      -1,
      1e9,
      [],
      {},
    ),
    fc.jsonValue({ maxDepth: 2 }),
  )

  it('is told, never thrown; what is accepted can be drawn', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(places.length - 1), junk), { minLength: 1, maxLength: 3 }), (changes) => {
        let value: unknown = limit()
        for (const [index, item] of changes) {
          try {
            value = put(value, places[index]!, item)
          } catch {
            // a change before took the place away
          }
        }
        const problems = problemsOf([{ ...source(value), where: 'schemas/demo/processes/limit.json' }])
        for (const { message } of problems) expect(message.en).not.toMatch(/cannot be checked/)
        if (problems.length > 0) return
        const process = value as ProcessDocument
        for (const node of walkNodes(process)) formPage(process, rightsOf(process, node.id))
        hashOf(process)
      }),
      { numRuns: 300 },
    )
  })

  it('evaluates its expressions over empty fields without failing for what is empty', () => {
    const operand = fc.constantFrom('a', 'b.c', 'd.e.f', '1', "'x'", 'null')
    const expression = fc
      .tuple(operand, fc.constantFrom('<', '>', '<=', '>=', '===', '!==', '&&', '||', '??'), operand, operand)
      .map(([left, operator, right, more]) => `{{ (${left} ${operator} ${right}) ? !(${more} > 3) : ${more} }}`)
    fc.assert(
      fc.property(
        expression,
        fc.constantFrom({}, { a: null, b: null, d: undefined }, { a: '', b: {}, d: { e: null } }),
        (one, scope) => {
          try {
            evaluate(tolerantText(one), scope)
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError)
            expect((error as ExpressionError).problem.code).not.toBe('empty-object')
          }
        },
      ),
    )
  })
})
