import { maskValue, referenceOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import { formatOf, ready } from '../../../src/schema/formats'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import type { EntityRecord, LinesInWords, References } from '../calls'
import type { Core } from '../core'
import { formatContext } from '../formatContext'
import { mayRead } from '../query/queriedTable'
import type { FieldChange } from '../read/changes'
import { differenceIn, type ToldLine } from './difference'
import { lineModel } from './stored'

type Entry = LinesInWords['entries'][number]

/** Changes of lines in words, as their reader may see them: for histories and for who saved an older version. */
export class LineWords {
  private refs: References = {}

  constructor(
    private readonly core: Core,
    private readonly context: RequestContext,
    private readonly model: EntityModel,
  ) {}

  /** Looks up what the lines of these changes refer to, in one statement an entity. */
  async prepare(db: Executor, changes: readonly FieldChange[]): Promise<void> {
    const { core, context, model } = this
    for (const field of model.lines) {
      const told = changes.filter((change) => change.field === field.name).map(differenceIn)
      const lines = lineModel(core.registry, field)
      const rows = told.flatMap(({ before, after }) => [...before, ...after])
      if (rows.length === 0) continue
      await ready(...lines.stored.map(({ kind }) => kind))
      const records = rows.map(({ values, title }) => ({ [lines.titleField]: title, ...values }))
      for (const [entity, titles] of Object.entries(await core.references.of(db, context, lines, records)))
        this.refs = { ...this.refs, [entity]: { ...this.refs[entity], ...titles } }
    }
  }

  /** The change of a field of lines in words; undefined where the caller may not read it or the field is none. */
  of(change: FieldChange): LinesInWords | undefined {
    const { core, context, model } = this
    const field = model.lines.find(({ name }) => name === change.field)
    if (!field || !accessOf(model, context).readable(field.name)) return undefined
    const lines = lineModel(core.registry, field)
    if (!mayRead(context, lines)) return undefined
    const { before, after, moved } = differenceIn(change)
    const old = new Map(before.map((line) => [line.id, line]))
    const is = new Set(after.map(({ id }) => id))
    const entries = [
      ...after.map((line) => this.entry(lines, old.get(line.id), line)),
      ...before.filter(({ id }) => !is.has(id)).map((line) => this.entry(lines, line, undefined)),
    ]
    return { entries, moved, more: change.more ?? 0 }
  }

  private entry(model: EntityModel, before: ToldLine | undefined, after: ToldLine | undefined): Entry {
    const line = (after ?? before)!
    // in the order of the entity: the database keeps none
    const cells = [...model.fields.values()].flatMap((field): Entry['cells'] => {
      const { name, internal, label } = field
      if (!(name in line.values) || internal || accessOf(model, this.context).of(name) === 'hide') return []
      const [was, is] = [this.cell(model, field, before), this.cell(model, field, after)]
      return [
        {
          label: label[this.context.locale],
          ...(was === undefined ? {} : { before: was }),
          ...(is === undefined ? {} : { after: is }),
        },
      ]
    })
    const kind = !before ? 'added' : !after ? 'removed' : 'changed'
    const named = model.fields.get(model.titleField)
    const title = named ? this.text(model, named, { ...line.values, [named.name]: line.title }) : ''
    return { kind, position: line.position, title, cells }
  }

  private cell(model: EntityModel, field: FieldModel, side: ToldLine | undefined): string | undefined {
    return side && field.name in side.values ? this.text(model, field, side.values) : undefined
  }

  private text(model: EntityModel, field: FieldModel, values: EntityRecord): string {
    const { core, context, refs } = this
    const value = values[field.name]
    const access = accessOf(model, context).of(field.name)
    if (access === 'hide' || value === null || value === undefined) return ''
    if (access === 'mask') return String(maskValue(field.kind, value) ?? '')
    if (referenceOf(field) === undefined && field.kind === 'json') return JSON.stringify(value)
    return formatOf(field.kind).show(value, field.field, { ...formatContext(core, context, refs), record: values })
  }
}
