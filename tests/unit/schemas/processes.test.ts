import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSchemas } from '../../../gateway/pages'
import { makeBundle } from '../../../gateway/pages/bundle'
import { compileFresh } from '../../../src/schema/compile'
import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { formEntity, formPage, isForPeople, rightsOf, rowEntities, walkNodes } from '../../../src/schema/process'
import { exposureOf } from '../../../src/schema/proof'
import { readDocuments } from '../../../src/schema/validate'

const { accepted, problems } = readDocuments(await readSchemas(join(import.meta.dirname, '../../../schemas')))
const processes = accepted.flatMap((document) => (document.type === 'process' ? [document] : []))
const entities = new Map(accepted.flatMap(({ type, value }) => (type === 'entity' ? [[value.name, value] as const] : [])))
const dictionaries = new Map(accepted.flatMap(({ type, value }) => (type === 'dictionary' ? [[value.name, value] as const] : [])))

describe('The approval processes that are shipped', () => {
  it('are right', () => {
    expect(processes.length).toBeGreaterThan(0)
    expect(problems.filter(({ where }) => where.includes('/processes/'))).toEqual([])
  })

  it('tell one amount: that of the title is the one that the process declares, with its currency behind it', () => {
    const other = processes.flatMap(({ value }) => {
      const said = /\{\{ format\((.+?), "money", (\w+)\) \}\} \{\{ (\w+) \}\}/.exec(value.title?.zh ?? '')
      const declared = (text: string | undefined): string => (text ?? '').replace(/^\{\{ | \}\}$/g, '')
      const wrong = said && (said[1] !== declared(value.amount) || said[3] !== declared(value.currency) || said[2] !== said[3])
      return wrong || /"money"/.test(value.title?.zh ?? '') !== (said !== null) ? [value.name] : []
    })
    expect(other).toEqual([])
  })

  it.each(processes.map(({ value }) => [value.name, value] as const))(
    '%s: its form is drawn with the rights of every node, and shows nothing that is hidden there',
    (_name, process) => {
      const made = new Map<string, EntityDocument>(
        [formEntity(process), ...rowEntities(process)].map((entity) => [entity.name, entity]),
      )
      const sources = {
        lists: [],
        entity: (name: string): EntityDocument | undefined => made.get(name) ?? entities.get(name),
        dictionary: (name: string): DictionaryDocument | undefined => dictionaries.get(name),
      }
      const nodes = [...walkNodes(process)].filter((node) => node.kind === 'start' || isForPeople(node))
      for (const id of [null, ...nodes.map((node) => node.id)]) {
        const rights = rightsOf(process, id)
        for (const kept of [false, true]) {
          const bundle = makeBundle(formPage(process, rights, { kept }), `process:${process.name}`, sources)
          const result = compileFresh(bundle, {
            locale: kept ? 'zh' : 'en',
            permissions: { has: () => true },
            companyTimeZone: 'Asia/Shanghai',
          })
          if (!result.ok) throw new Error(JSON.stringify(result.problems))
          expect(result.model.problems, `${process.name} ${id}`).toEqual([])
          const exposure = exposureOf(result.model)
          const shown = new Set(
            [...exposure].flatMap(([field, uses]) => (uses.shown || uses.editable || uses.sent ? [field.split('.')[2]] : [])),
          )
          const editable = [...exposure].flatMap(([field, uses]) => (uses.editable ? [field.split('.')[2]!] : []))
          const rows = [...Object.values(process.form.fields)].flatMap((field) => Object.keys(field.rows?.fields ?? {}))
          for (const [name, right] of Object.entries(rights)) {
            if (name.includes('.') || rows.includes(name)) continue
            if (right === 'H') expect(shown, `${process.name} ${id} ${name}`).not.toContain(name)
            if (right === 'R' && !process.form.fields[name]?.rows)
              expect(editable, `${process.name} ${id} ${name}`).not.toContain(name)
          }
        }
      }
    },
  )
})
