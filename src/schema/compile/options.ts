import { pointer } from '../diagnosis'
import { isExpression } from '../expression'
import type { FormNode, Options } from '../generated/page'
import type { FormNodeModel, OptionsModel, PageField, QuerySort } from '../model'
import { OPTION_SOURCES, type OptionSource } from '../optionWords'
import type { BilingualText } from '../problem'
import { conditionsIn, queryOf } from '../where'
import { parseCall } from './action'
import type { EntityReader } from './entityReader'
import { findField, FURTHEST } from './fieldPath'
import { ROOTS } from './roots'
import type { Workspace } from './workspace'

/** A list that the person searches takes so many rows at a time; one that is seen whole takes what one answer holds. */
const SEARCHED = 100
const WHOLE = 500
const SEARCHES: ReadonlySet<string> = new Set(['select', 'selectMany', 'Select'])

/** What a linkage gives to its expressions alone. */
const OF_LINKAGES: ReadonlySet<string> = new Set(['$target', '$deps', '$dependencies'])
const OF_FIELD: readonly string[] = ROOTS.form.filter((root) => !OF_LINKAGES.has(root))
/** Roots of what is said about one row. */
const OF_ROW: readonly string[] = [...OF_FIELD, 'row']

type Refuse = (at: string, message: BilingualText, code?: 'invalid-shape' | 'field-kind-mismatch') => never

/**
 * The choices of a node with `x-options`: what is known at once as `enum`, the rest for the form to ask for; and the control that
 * offers them. What is wrong refuses the node.
 */
export const compileOptions = (
  work: Workspace,
  node: FormNode,
  field: PageField | undefined,
  at: string,
): Partial<Pick<FormNodeModel, 'enum' | 'x-options' | 'x-component'>> => {
  const said = node['x-options']
  if (!said) return {}
  const here = pointer(at, 'x-options')
  const refuse: Refuse = (where, message, code = 'invalid-shape') => work.refuse(code, where, message)
  // the validator says what is wrong with the words among themselves
  const source = OPTION_SOURCES.find((name) => said[name] !== undefined)!
  const component = node['x-component'] ?? (isMany(node, field) ? 'selectMany' : 'select')
  if (field?.dictionary && source !== 'dictionary')
    refuse(
      here,
      {
        zh: `字段“${field.name}”只接受字典“${field.dictionary.name}”的值，选项须来自 dictionary。`,
        en: `The field "${field.name}" takes values of the dictionary "${field.dictionary.name}" alone: its options come from a dictionary.`,
      },
      'field-kind-mismatch',
    )
  for (const [word, text] of Object.entries({ when: said.when, label: said.label }))
    if (text !== undefined) work.expression(text, pointer(here, word), OF_ROW)
  const control = node['x-component'] === undefined ? { 'x-component': component } : {}
  const made = { work, said, here, refuse, searches: SEARCHES.has(component) }
  if (source === 'dictionary' && said.when === undefined) return { ...control, enum: valuesOf(made) }
  return { ...control, 'x-options': modelOf(made, source) }
}

interface Making {
  work: Workspace
  said: Options
  here: string
  refuse: Refuse
  searches: boolean
}

const isMany = (node: FormNode, field: PageField | undefined): boolean =>
  node.type === 'array' || (node.type === undefined && (field?.kind === 'refs' || field?.kind === 'dictionaries'))

/** What a dictionary offers; what it offers no more is there for values that are held already. */
function valuesOf({ work, said, here, refuse }: Making): { label: string; value: string }[] {
  const name = said.dictionary!
  const options = work.dictionary(name)
  if (!options)
    return work.refuse(
      'unknown-dictionary',
      pointer(here, 'dictionary'),
      { zh: `没有字典“${name}”。`, en: `There is no dictionary "${name}".` },
      { value: name, known: Object.keys(work.bundle.dictionaries) },
    )
  if (options.length === 0)
    refuse(pointer(here, 'dictionary'), { zh: `字典“${name}”没有值。`, en: `The dictionary "${name}" has no values.` })
  return options.map(({ code, label, color, retired, attributes }) => ({
    label,
    value: code,
    code,
    ...(attributes === undefined ? {} : { attributes }),
    ...(color === undefined ? {} : { color }),
    ...(retired ? { retired: true, disabled: true } : {}),
  }))
}

function modelOf(making: Making, source: OptionSource): OptionsModel {
  const { said, searches } = making
  const { when, children, parent, optional = [] } = said
  const words = {
    ...(when === undefined ? {} : { when }),
    ...(children === undefined ? {} : { children }),
    ...(parent === undefined ? {} : { parent }),
    optional,
    most: searches ? SEARCHED : WHOLE,
    searches,
  }
  switch (source) {
    case 'dictionary':
      return { ...words, label: 'label', value: 'value', from: { type: 'values', rows: valuesOf(making) } }
    case 'entity':
      return { ...words, ...ofEntity(making) }
    case 'call':
      return {
        ...words,
        label: said.label!,
        value: said.value!,
        from: { type: 'call', call: parseCall(said.call!), params: paramsOf(making) },
      }
    case 'rows':
      return {
        ...words,
        ...(said.label === undefined ? {} : { label: said.label }),
        ...(said.value === undefined ? {} : { value: said.value }),
        from: { type: 'rows', path: said.rows! },
      }
  }
}

function paramsOf({ work, said: { params = {} }, here }: Making): Readonly<Record<string, unknown>> {
  work.parameters(params, pointer(here, 'params'), OF_FIELD)
  return params
}

function ofEntity({ work, said, here }: Making): Pick<OptionsModel, 'from' | 'label' | 'value' | 'shown'> {
  const entity = work.entity(said.entity!, pointer(here, 'entity'))
  const { where = [], sort, label, value, parent } = said
  const operators = new Map(
    conditionsIn(where, pointer(here, 'where')).map(({ condition, at }) => {
      const { field } = findField(work, entity, condition.field, pointer(at, 'field'), undefined, FURTHEST)
      work.values(condition.value, pointer(at, 'value'), OF_FIELD)
      return [at, condition.operator ?? field.operators[0] ?? 'eq'] as const
    }),
  )
  const asked = queryOf(
    where,
    ({ field, value: compared }, at) => ({
      field,
      operator: operators.get(at)!,
      ...(compared === undefined ? {} : { value: compared }),
    }),
    pointer(here, 'where'),
  )
  // titles are what the call for references answers; everything else is read from the whole records
  const records = [sort, label, value, parent].some((word) => word !== undefined)
  const name = label ?? entity.document.titleField
  const shown = records && !isExpression(name) ? entity.field(name, pointer(here, 'label')) : undefined
  for (const word of ['value', 'parent'] as const) if (said[word] !== undefined) entity.field(said[word], pointer(here, word))
  return {
    label: records ? name : 'title',
    value: value ?? 'id',
    ...(shown ? { shown } : {}),
    from: {
      type: 'entity',
      entity: entity.name,
      call: entity.call(records ? 'queryPage' : 'select'),
      where: asked,
      sort: sortOf(work, entity, sort, pointer(here, 'sort')),
    },
  }
}

const sortOf = (work: Workspace, entity: EntityReader, sort: Options['sort'], at: string): readonly QuerySort[] =>
  (sort ?? []).filter(({ field: name }, index) => {
    const here = pointer(at, index, 'field')
    const { field } = findField(work, entity, name, here, undefined, FURTHEST)
    if (!field.sortable)
      work.refuse('field-kind-mismatch', here, {
        zh: `字段“${name}”不能排序。`,
        en: `The field "${name}" cannot be sorted.`,
      })
    return entity.readable(name.split('.', 1)[0]!)
  })
