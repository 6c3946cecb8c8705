import { describe, expect, it } from 'vitest'
import { tryForm } from '../../../../gateway/pages/changes/tryForm'
import { compilePage, formatProblem } from '../../../../src/schema'
import { CONTROLS } from '../../../../src/schema/controls'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { FormPage } from '../../../../src/schema/generated/page'
import type { JsonObject } from '../../../../src/schema/overlay'
import { valueAt } from '../../../../src/widgets/page-designer/document/address'
import { ALL_COMPONENTS, COMPONENTS, entryOf, type FormComponent } from '../../../../src/widgets/page-designer/form/components'
import { isFound } from '../../../../src/widgets/page-designer/form/Palette'
import { shapesOf } from '../../../../src/widgets/page-designer/form/Picture'
import { roomFor, roomIn, withComponent } from '../../../../src/widgets/page-designer/form/room'
import { Labels } from '../../../../src/widgets/page-designer/language/labels'
import { Language } from '../../../../src/widgets/page-designer/language/meta'
import { pageAs, problemsOf } from '../../schema/validate/world'

const form = (more: JsonObject = {}): JsonObject => ({
  formatVersion: 3,
  kind: 'form',
  path: '/demo/made',
  title: { zh: '表单', en: 'Form' },
  permission: 'demo:items',
  submit: { call: 'POST /v2/demo/item/save' },
  schema: { type: 'object', properties: {} },
  ...more,
})
const around = (document: JsonObject, entities: Readonly<Record<string, EntityDocument>> = {}) => ({
  document,
  language: new Language('page', document),
  labels: new Labels(document, entities, 'en'),
})
const named = (id: string): FormComponent => {
  const found = ALL_COMPONENTS.find((one) => one.id === id)
  if (!found) throw new Error(`There is no ${id}.`)
  return found
}
/** The document with components added, each inside the last one or the part that is named. */
const added = (document: JsonObject, ...ids: readonly (string | readonly [id: string, onto: string])[]): JsonObject =>
  ids.reduce((made: JsonObject, given) => {
    const [id, onto] = typeof given === 'string' ? [given, 'schema/properties'] : given
    const known = around(made)
    const room = onto === 'schema/properties' ? roomIn(known, onto) : roomFor(known, onto, named(id))
    if (!room?.offered.includes(named(id))) throw new Error(`${id} cannot stand at ${onto}.`)
    return withComponent(known, room, named(id)).document
  }, document)

/** What check, compilation and filling in find. */
const faultsOf = (document: JsonObject): readonly unknown[] => {
  const page = document as unknown as FormPage
  const errors = problemsOf([pageAs(page)]).filter(({ severity, code }) => severity === 'error' && code !== 'unknown-call')
  const result = compilePage(
    { page: { ...page, name: 'demo/made' }, where: 'made.json', revision: 'r1', entities: {}, dictionaries: {} },
    { locale: 'en', permissions: { has: () => true }, companyTimeZone: 'Asia/Shanghai' },
  )
  if (!result.ok || result.model.kind !== 'form') return [...errors, result]
  return [
    ...errors.map((problem) => formatProblem(problem)),
    ...result.model.problems,
    ...tryForm(result.model, undefined, 'Asia/Shanghai'),
  ]
}

describe('components to add', () => {
  it('has every component that forms can name, but those that are settings or parts of one another', () => {
    const names = new Set(ALL_COMPONENTS.map(({ name }) => name))
    const others = [...CONTROLS].filter((name) => /^[A-Z]/.test(name) && !names.has(name))
    expect(others.sort()).toEqual(NOT_ADDED)
    expect(new Set(ALL_COMPONENTS.map(({ id }) => id)).size).toBe(ALL_COMPONENTS.length)
  })

  it('has a picture and a name in both languages for each', () => {
    for (const { id, label } of ALL_COMPONENTS) {
      expect(Object.values(shapesOf(id) ?? {}).join('').length, id).toBeGreaterThan(5)
      expect(label.zh, id).toMatch(/[一-鿿]/)
      expect(label.en, id).toMatch(/^[A-Z]/)
    }
  })

  it.each(COMPONENTS.map(({ id }) => [id]))('%s draws at once: it passes the check, compiles and can be filled in', (id) => {
    const document = added(form(), id)
    expect(faultsOf(document)).toEqual([])
    const [node] = Object.values((valueAt(document, 'schema/properties') ?? {}) as JsonObject)
    expect(entryOf(node)?.id).toBe(id)
  })

  it.each([
    ['FormTab', 'FormTab.TabPane'],
    ['FormStep', 'FormStep.StepPane'],
    ['FormCollapse', 'FormCollapse.CollapsePanel'],
    ['FormGrid', 'FormGrid.GridColumn'],
    ['SelectTable', 'SelectTable.Column'],
    ['ArrayTable', 'ArrayTable.Column'],
    ['ArrayTable', 'ArrayTable.Column:number'],
    ['ArrayTable', 'ArrayTable.Column:index'],
    ['ArrayTable', 'ArrayTable.Column:sort'],
    ['ArrayTable', 'ArrayTable.Column:operations'],
    ['ArrayCards', 'ArrayCards.Copy'],
    ['ArrayItems', 'ArrayItems.MoveUp'],
    ['ArrayCollapse', 'ArrayCollapse.SortHandle'],
    ['FormTab', 'FormGrid', 'schema/properties/formTab/properties/first'],
    ['ArrayTable', 'ArrayTable.Copy', 'schema/properties/arrayTable/items/properties/operations'],
    ['ArrayCards', 'ArrayTable', 'schema/properties/arrayCards'],
  ])('into %s a %s can be put', (container, part, onto = '') => {
    const name = named(container).wanted
    const document = added(form(), container, [part, onto === '' ? `schema/properties/${name}` : onto])
    expect(faultsOf(document)).toEqual([])
  })

  it('is found by its name in both languages and as schemas name it', () => {
    const found = (typed: string): string[] => COMPONENTS.filter((one) => isFound(one, typed)).map(({ id }) => id)
    expect(found('穿梭')).toEqual(['Transfer'])
    expect(found('cascader')).toEqual(['Cascader'])
    expect(found('arraytab')).toEqual(['ArrayTable', 'ArrayTabs'])
    expect(found('季度')).toEqual(['DatePicker:quarter'])
  })

  it('offers only parts where nothing else can stand', () => {
    const { document, language, labels } = around(added(form(), 'FormTab', 'ArrayTable'))
    const offered = (at: string): string[] | undefined => roomIn({ document, language, labels }, at)?.offered.map(({ id }) => id)
    expect(offered('schema/properties/formTab')).toEqual(['FormTab.TabPane'])
    expect(offered('schema/properties/formTab/properties/first')).toContain('Input')
    expect(offered('schema/properties/arrayTable/items')?.every((id) => id.startsWith('ArrayTable.Column'))).toBe(true)
    expect(offered('schema/properties/arrayTable')).toEqual(['ArrayTable.Addition'])
    expect(offered('submit')).toBeUndefined()
  })
})

describe('a form that saves to an entity', () => {
  const thing = {
    formatVersion: 3,
    type: 'object',
    name: 'demo.thing',
    label: { zh: '东西', en: 'Thing' },
    titleField: 'name',
    properties: {
      name: { type: 'string', maxLength: 50, 'x-label': { zh: '名称', en: 'Name' } },
      size: { type: 'integer', 'x-label': { zh: '大小', en: 'Size' } },
      total: { type: 'integer', readOnly: true, 'x-label': { zh: '合计', en: 'Total' } },
    },
  } as unknown as EntityDocument
  const { submit: _, ...own } = form({ entity: 'demo.thing' })
  const known = around(own, { 'demo.thing': thing })
  const room = () => roomIn(known, 'schema/properties')!

  it('puts the fields that stand nowhere yet into new tabs', () => {
    const { document } = withComponent(known, room(), named('FormTab'))
    expect(JSON.stringify(document.schema)).toContain('"first":{"type":"void"')
    expect(valueAt(document, 'schema/properties/formTab/properties/first/properties')).toEqual({
      name: { $field: 'demo.thing.name' },
    })
    expect(valueAt(document, 'schema/properties/formTab/properties/second/properties')).toEqual({
      size: { $field: 'demo.thing.size' },
    })
  })

  it('takes a component for a field of the entity, which has its name, type and choices itself', () => {
    const { document, at } = withComponent(known, room(), named('Slider'), known.labels.field('schema', 'size'))
    expect(at).toBe('schema/properties/size')
    expect(valueAt(document, at)).toEqual({ $field: 'demo.thing.size', 'x-decorator': 'FormItem', 'x-component': 'Slider' })
  })
})

/** Other names of components, what `x-component-props` chooses, wrappers of one row, and values as text by kind. */
const NOT_ADDED = [
  'ArrayCollapse.CollapsePanel',
  'ArrayItems.Item',
  'Editable',
  'FormButtonGroup.FormItem',
  'FormButtonGroup.Sticky',
  'FormItem.BaseItem',
  'InputNumber',
  'PreviewText',
  'PreviewText.Cascader',
  'PreviewText.DatePicker',
  'PreviewText.DateRangePicker',
  'PreviewText.NumberPicker',
  'PreviewText.Select',
  'PreviewText.TimePicker',
  'PreviewText.TimeRangePicker',
  'PreviewText.TreeSelect',
  'Radio',
  'TextArea',
  'Upload.Dragger',
]
