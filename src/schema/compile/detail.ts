import { pointer } from '../diagnosis'
import type { DetailPage, FieldItem, Section } from '../generated/page'
import type { ActionModel, DetailModel, EntryModel, FieldItemModel, SectionModel, TabModel } from '../model'
import { compileActions, parseCall } from './action'
import type { EntityReader } from './entityReader'
import { findField, refuseRepeated } from './fieldPath'
import { compileListBody, defined, isListable, toneOf } from './listBody'
import { compileRelated } from './related'
import { ROOTS } from './roots'
import type { Workspace } from './workspace'

const DEFAULT_COLUMNS = 3
const RECORD_FROM_ADDRESS = '{{ query.id }}'

/** Everything of a detail page that stands under the title. */
export const compileDetail = (
  work: Workspace,
  page: DetailPage,
): Omit<DetailModel, 'kind' | 'id' | 'title' | 'locale' | 'revision' | 'source' | 'problems'> => {
  const entity = work.entity(page.entity, '/entity')
  const header = page.header ?? {}
  const editable = entity.may('edit')
  const fields = (items: readonly FieldItem[] | undefined, at: string) =>
    compileItems({ work, entity, view: page.view, editable }, items, at)
  const attachments = page.attachments
  const actions = compileActions(work, header.actions, '/header/actions', {
    roots: ROOTS.record,
    entity,
    about: 'record',
    editForm: page.editForm !== undefined,
  })
  return {
    entity: entity.name,
    entityLabel: entity.label,
    basePath: entity.path,
    ...(page.view === undefined ? {} : { view: page.view }),
    viewCall: page.calls?.view === undefined ? entity.call('view/{id}', 'GET') : parseCall(page.calls.view),
    record: work.textual(page.record ?? RECORD_FROM_ADDRESS, '/record', ROOTS.page),
    titleField: entity.document.titleField,
    states: fields(
      (header.state ?? []).map((field) => ({ field })),
      '/header/state',
    ),
    figures: fields(header.figures, '/header/figures'),
    warnings: work.blocks(header.warnings, '/header/warnings', (warning, at) => ({
      id: warning.id,
      type: warning.type ?? ('warning' as const),
      when: work.condition(warning.when, pointer(at, 'when'), ROOTS.record),
      message: work.textual(work.text(warning.message), pointer(at, 'message'), ROOTS.record),
    })),
    actions,
    ...defined({ steps: compileSteps(work, entity, page, actions) }),
    sections: compileSections({ work, entity, view: page.view, editable }, page.sections, '/sections'),
    tabs: compileTabs({ work, entity, view: page.view, editable }, page),
    timeline: page.timeline ?? entity.document['x-audit'] ?? true,
    fold: page.fold ?? true,
    related: page.related ?? true,
    ...defined({
      attachments:
        attachments === undefined || !entity.readable(attachments, page.view)
          ? undefined
          : work.block(() => entity.field(attachments, '/attachments')),
    }),
    ...(page.editForm === undefined || !editable ? {} : { editForm: page.editForm }),
    ...defined({ list: page.activeMenu }),
    restorable: entity.may('restore'),
    fields: entity.allFields(page.view),
  }
}

/** The bar of states; a step is a button when an action leads there and asks for nothing first. */
function compileSteps(
  work: Workspace,
  entity: EntityReader,
  { header, view }: DetailPage,
  actions: readonly ActionModel[],
): DetailModel['steps'] {
  const steps = header?.steps
  if (!steps || !entity.readable(steps.field, view)) return undefined
  return work.block(() => {
    const field = entity.field(steps.field, '/header/steps/field')
    const options = field.dictionary?.options ?? []
    const labels = Object.fromEntries(options.map(({ code, label }) => [code, label]))
    const codes = steps.of ?? options.map(({ code }) => code)
    const unknown = codes.findIndex((code) => !(code in labels))
    if (unknown >= 0) {
      return work.refuse(
        'unknown-state',
        pointer('/header/steps/of', unknown),
        {
          zh: `字段“${field.name}”没有状态“${String(codes[unknown])}”。`,
          en: `The field "${field.name}" has no state "${String(codes[unknown])}".`,
        },
        { value: codes[unknown], known: Object.keys(labels) },
      )
    }
    const direct = actions.flatMap(({ id, effect, confirm }) =>
      effect.type === 'transition' &&
      effect.transition.field === field.name &&
      effect.transition.to !== undefined &&
      effect.transition.fields.length === 0 &&
      !confirm &&
      effect.transition.confirm === undefined
        ? [[effect.transition.to, id] as const]
        : [],
    )
    return {
      field: field.name,
      title: field.label,
      steps: codes.map((code) => ({ code, label: labels[code] ?? code })),
      labels,
      moves: Object.fromEntries(direct),
    }
  })
}

/** The record that is shown. */
interface Shown {
  work: Workspace
  entity: EntityReader
  /** Its row view, whose rules hold too. */
  view: string | undefined
  editable: boolean
}

function compileItems(
  { work, entity, view, editable }: Shown,
  items: readonly FieldItem[] | undefined,
  at: string,
): FieldItemModel[] {
  const seen = new Set<string>()
  return work.blocks(items, at, (item, here): FieldItemModel | undefined => {
    if (!work.allowed(item.permission)) return undefined
    const found = item.field === undefined ? undefined : findField(work, entity, item.field, pointer(here, 'field'), view)
    if (!found && item.value === undefined) {
      return work.refuse('invalid-shape', here, { zh: '字段项须有 field 或 value。', en: 'An item needs a field or a value.' })
    }
    const id = item.id ?? item.field
    if (id === undefined) {
      return work.refuse('invalid-shape', here, { zh: '没有字段的字段项须有 id。', en: 'An item without a field needs an id.' })
    }
    refuseRepeated(work, seen, id, here)
    if (found?.access === 'hide') return undefined
    const { field } = found ?? {}
    return {
      id,
      title: work.text(item.title) ?? found?.title ?? id,
      ...(field ? { field } : {}),
      path: found?.path ?? [],
      ...defined({
        value: item.value === undefined ? undefined : work.expression(item.value, pointer(here, 'value'), ROOTS.item),
        open: item.open === undefined ? undefined : work.address(item.open, pointer(here, 'open'), ROOTS.item),
        tone: item.tone === undefined ? undefined : toneOf(work.expression(item.tone, pointer(here, 'tone'), ROOTS.item)),
      }),
      cell: item.widget === undefined ? (field?.kind ?? 'string') : work.widget(item.widget, pointer(here, 'widget')),
      ...(item.props ? { props: item.props } : {}),
      span: item.span ?? 1,
      visible: work.condition(item.visible, pointer(here, 'visible'), ROOTS.item),
      edit:
        editable &&
        item.edit === true &&
        field !== undefined &&
        found?.path.length === 1 &&
        found.access === 'write' &&
        !field.readOnly &&
        !field.immutable,
      source: work.source(here),
    }
  })
}

function compileSections(shown: Shown, sections: readonly Section[] | undefined, at: string): SectionModel[] {
  const { work, editable } = shown
  const seen = new Set<string>()
  return work.blocks(sections, at, (section, here): SectionModel | undefined => {
    if (!work.allowed(section.permission)) return undefined
    refuseRepeated(work, seen, section.id, here)
    return {
      id: section.id,
      title: work.text(section.title),
      columns: section.columns ?? DEFAULT_COLUMNS,
      items: compileItems(shown, section.fields, pointer(here, 'fields')),
      ...(section.widget === undefined
        ? {}
        : { widget: { name: work.widget(section.widget, pointer(here, 'widget')), props: section.props ?? {} } }),
      visible: work.condition(section.visible, pointer(here, 'visible'), ROOTS.record),
      ...(section.edit === undefined || !editable ? {} : { edit: section.edit }),
      source: work.source(here),
    }
  })
}

/** Without an action that adds a row, which the viewer may lack, there is no box. */
function entryOf(form: string | undefined, content: TabModel['content']): EntryModel | undefined {
  if (form === undefined || content.type !== 'list') return undefined
  for (const action of content.list.actions) {
    if (action.effect.type === 'form') return { form, action, values: action.effect.values }
  }
  return undefined
}

function compileTabs(shown: Shown, page: DetailPage): TabModel[] {
  const { work } = shown
  const seen = new Set<string>()
  return work.blocks(page.tabs, '/tabs', (tab, here): TabModel | undefined => {
    if (!work.allowed(tab.permission) || (tab.list && !isListable(work, tab.list))) return undefined
    refuseRepeated(work, seen, tab.id, here)
    const content = ((): TabModel['content'] => {
      if (tab.list) return { type: 'list', list: compileListBody(work, tab.list, pointer(here, 'list'), ['record']) }
      if (tab.widget !== undefined) {
        return {
          type: 'widget',
          name: work.widget(tab.widget, pointer(here, 'widget')),
          props: tab.props ?? {},
          values: work.parameters(tab.values, pointer(here, 'values'), ROOTS.record),
        }
      }
      if (tab.sections) return { type: 'sections', sections: compileSections(shown, tab.sections, pointer(here, 'sections')) }
      return work.refuse('invalid-shape', here, {
        zh: '标签页须有 list、widget 或 sections。',
        en: 'A tab needs a list, a widget or sections.',
      })
    })()
    return {
      id: tab.id,
      title: work.text(tab.title),
      visible: work.condition(tab.visible, pointer(here, 'visible'), ROOTS.record),
      count: tab.count ?? content.type === 'list',
      log: tab.log ?? false,
      timeline: tab.timeline ?? false,
      ...defined({ entry: entryOf(tab.entry, content) }),
      ...(content.type === 'list' && (page.related ?? true) && (tab.related ?? true)
        ? { related: compileRelated(work, content.list) }
        : {}),
      content,
      source: work.source(here),
    }
  })
}
