import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EntityService, SaveHook, TransitionHook } from '../../../../gateway/entities'
import { Registry } from '../../../../gateway/entities/registry'
import { together } from '../../../../gateway/entities/together'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import { wholeSchema } from '../../../support/schemas'

const save = {} as SaveHook
const move = {} as TransitionHook

describe('Several services on one entity', () => {
  it('run one after the other, each as itself', async () => {
    const heard: string[] = []
    const named = (name: string) => ({
      name,
      beforeSave(this: { name: string }) {
        heard.push(this.name)
      },
    })
    const both = together([named('own') as EntityService, named('further') as EntityService])
    await both?.beforeSave?.(save)
    expect(heard).toEqual(['own', 'further'])
    expect(both).not.toHaveProperty('afterSave')
  })

  it('refuse with the first that refuses, and ask the others no more', async () => {
    const text = (word: string) => ({ zh: word, en: word })
    const both = together([
      { guard: () => null, refusals: () => ({ delete: text('a') }) },
      { guard: () => text('b'), refusals: () => ({ edit: text('c'), delete: text('d') }) },
      {
        guard: () => {
          throw new Error('asked')
        },
      },
    ])
    await expect(both?.guard?.(move)).resolves.toEqual(text('b'))
    expect(both?.refusals?.({}, {} as never)).toEqual({ edit: text('c'), delete: text('a') })
  })

  it('save many records at once only if each that has a say in saves can', async () => {
    const counted: string[] = []
    const bulk = (name: string): EntityService => ({
      beforeSave: () => undefined,
      bulk: () => ({
        prepare: async () => void counted.push(name),
        beforeSave: () => undefined,
        accepted: () => undefined,
        afterSave: async () => undefined,
      }),
    })
    await together([bulk('a'), { guard: () => null }, bulk('b')])
      ?.bulk?.()
      .prepare([])
    expect(counted).toEqual(['a', 'b'])
    expect(together([bulk('a'), { afterSave: () => undefined }])).not.toHaveProperty('bulk')
  })

  it('of several modules run after the entity’s own, in the order in which the modules put them there', async () => {
    const heard: string[] = []
    const named = (name: string): EntityService => ({ beforeSave: () => void heard.push(name) })
    const document = wholeSchema<EntityDocument>('csc/entities/clue.json')
    const registry = new Registry([{ ...document, 'x-service': 'test.own' }], () => undefined, 'Asia/Shanghai')
    registry.hook(document.name, named('needed'))
    registry.register('test.own', named('own'))
    registry.hook(document.name, named('needing'))
    await registry.serviceOf(registry.model(document.name))?.beforeSave?.(save)
    expect(heard).toEqual(['own', 'needed', 'needing'])
  })

  it('come from modules in an order in which each follows those that it needs or says that it comes after', () => {
    const list = /= \[(.+)\]/.exec(readFileSync('gateway/modules/generated.ts', 'utf8'))?.[1]?.split(', ') ?? []
    expect(list.length).toBeGreaterThan(1)
    const said = (name: string) => wholeSchema<{ needs?: string[]; after?: string[] }>(`${name}/module.json`)
    for (const [index, name] of list.entries()) {
      const { needs = [], after = [] } = said(name)
      const needed = needs.filter((other) => !said(other).after?.includes(name))
      for (const earlier of [...needed, ...after]) expect([name, list.indexOf(earlier) < index]).toEqual([name, true])
    }
  })

  it('is the one that there is', () => {
    const only: EntityService = {}
    expect(together([only])).toBe(only)
  })
})
