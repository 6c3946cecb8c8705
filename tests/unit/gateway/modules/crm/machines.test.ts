import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileEntity, outOfState, transitionsOf, type EntityModel } from '../../../../../src/schema/entity'
import type { DictionaryDocument } from '../../../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../../../src/schema/generated/entity'
import { wholeSchema } from '../../../../support/schemas'

const entities = readdirSync('schemas/crm/entities').map((file) => wholeSchema<EntityDocument>(`crm/entities/${file}`))
const machines = entities.flatMap((document) =>
  (document['x-states'] ?? []).map((machine) => ({ document, machine, name: `${document.name}.${machine.field}` })),
)
const stateLabel = (code: string) => ({ zh: code, en: code })

/** States after which a document is over. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  'crm.transfer.status': ['accepted', 'partly', 'rejected', 'expired', 'cancelled'],
  'crm.transferItem.result': ['done', 'refused'],
  'crm.share.status': ['rejected', 'expired', 'ended'],
  'crm.blacklist.status': ['rejected', 'lifted', 'expired'],
  'crm.aliasRecord.status': ['rejected', 'withdrawn', 'done', 'rolledBack'],
  'crm.aliasTask.status': ['undone'],
  'crm.classApply.status': ['rejected', 'withdrawn', 'ended', 'revoked'],
  'crm.partnerProfile.status': ['ended'],
}

describe('the state machines of CRM', () => {
  it.each(machines)(
    '$name names states of its dictionary only, and reaches each of its own from the first',
    ({ document, machine }) => {
      const dictionary = document.properties[machine.field]?.['x-dictionary'] ?? ''
      const known = new Set(wholeSchema<DictionaryDocument>(`dictionaries/${dictionary}.json`).items.map((item) => item.code))
      const named = new Set([
        machine.initial,
        ...machine.transitions.flatMap(({ from, to }) => (to === undefined ? from : [...from, to])),
      ])
      for (const state of named) expect(known.has(state), state).toBe(true)
      const reached = new Set([machine.initial])
      for (let before = 0; before !== reached.size;) {
        before = reached.size
        for (const { from, to } of machine.transitions)
          if (to !== undefined && from.some((state) => reached.has(state))) reached.add(to)
      }
      expect([...named].filter((state) => !reached.has(state))).toEqual([])
    },
  )

  it.each(Object.entries(ENDS))('%s is over where it should be and nowhere else', (name, ends) => {
    const found = machines.find((one) => one.name === name)
    expect(found, name).toBeDefined()
    const { machine } = found!
    const states = new Set([machine.initial, ...machine.transitions.flatMap(({ to }) => to ?? [])])
    const open = new Set(machine.transitions.flatMap(({ from }) => from))
    expect([...states].filter((state) => !open.has(state)).sort()).toEqual([...ends].sort())
  })

  it('walk along their transitions only: whatever is tried, a state is left by a transition that names it', () => {
    const models = entities.filter((document) => ENDS[`${document.name}.${document['x-states']?.[0]?.field}`]).map(modelOf)
    const steps = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 25 })
    fc.assert(
      fc.property(fc.constantFrom(...models), steps, (model, choices) => {
        const all = transitionsOf(model)
        const field = model.machines[0]!.field
        let state = model.machines[0]!.initial
        for (const choice of choices) {
          const found = all[choice % all.length]!
          const refused = outOfState(found, { [field]: state }, stateLabel)
          expect(refused === null, `${model.name} ${state} ${found.transition.id}`).toBe(found.transition.from.includes(state))
          if (refused === null) state = found.transition.to ?? state
        }
        const ends = ENDS[`${model.name}.${field}`] ?? []
        if (ends.includes(state))
          for (const found of all) expect(outOfState(found, { [field]: state }, stateLabel)).not.toBeNull()
      }),
      { numRuns: 400 },
    )
  })
})

const modelOf = (document: EntityDocument): EntityModel => compileEntity(document)
