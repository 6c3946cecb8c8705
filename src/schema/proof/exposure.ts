import type { FieldAccess } from '../entity/access'
import type {
  ActionModel,
  FieldItemModel,
  PageField,
  FormNodeModel,
  ListBodyModel,
  OptionsModel,
  PageModel,
  RelatedModel,
  SectionModel,
} from '../model'
import { leavesOf } from '../where'

/** What a page does with a field for the viewer for whom it was compiled. */
export interface FieldExposure {
  /** Its value is asked for, or rows are asked for by it. */
  requested: boolean
  /** Rows are filtered, sorted or summed by it: who may not read it could find it out. */
  compared: boolean
  shown: boolean
  /** Only as a mask. */
  masked: boolean
  editable: boolean
  /** It goes to the gateway when the page saves or moves a record. */
  sent: boolean
}

/** By `entity.field`; a field that is not there has nothing to do with the page. */
export type Exposure = ReadonlyMap<string, FieldExposure>

const NOTHING: FieldExposure = {
  requested: false,
  compared: false,
  shown: false,
  masked: false,
  editable: false,
  sent: false,
}

/**
 * What is requested, shown, editable and sent of which field on a page. Pure; read off the compiled page, so it holds for
 * exactly the viewer, language and release that it was compiled for. Expressions are left out of account: they see only
 * what the gateway answers to this viewer. Widgets say nothing about their fields here; their calls are guarded by the gateway.
 */
export function exposureOf(model: PageModel): Exposure {
  const notes = new Notes()
  switch (model.kind) {
    case 'list':
      noteList(notes, model.body)
      break
    case 'detail':
      noteItems(notes, model.entity, [...model.states, ...model.figures])
      for (const section of model.sections) noteSection(notes, model.entity, section)
      for (const { content, related } of model.tabs) {
        if (related) noteRelated(notes, related)
        if (content.type === 'list') noteList(notes, content.list)
        if (content.type === 'sections') for (const section of content.sections) noteSection(notes, model.entity, section)
      }
      noteActions(notes, model.actions)
      if (model.steps) notes.add(`${model.entity}.${model.steps.field}`, { requested: true, shown: true })
      if (model.attachments) notes.field(model.attachments, { requested: true, shown: true })
      if (model.timeline) for (const field of Object.values(model.fields)) notes.field(field, { requested: true, shown: true })
      break
    case 'form':
      noteForm(notes, model.schema, model.readPretty, model.entity)
      break
    case 'report':
      for (const { field } of model.filters) notes.field(field, { requested: true, compared: true })
      for (const { questions = [], dimensions, measures } of model.blocks) {
        if (questions.length === 0) continue
        const told = [...model.dimensions, ...model.measures].filter(({ id }) => [...dimensions, ...measures].includes(id))
        for (const { field } of told) if (field) notes.field(field, { requested: true, shown: true, compared: true })
      }
      break
    default:
  }
  return notes.found
}

/** What the page does that the viewer's access to the fields does not allow, each as `entity.field: what`. */
export function overexposed(exposure: Exposure, accessOf: (field: string) => FieldAccess): string[] {
  return [...exposure].flatMap(([field, uses]) => {
    const access = accessOf(field)
    const wrong =
      access === 'hide'
        ? (['requested', 'compared', 'shown', 'editable', 'sent'] as const).filter((use) => uses[use])
        : access === 'mask'
          ? [...(uses.compared ? ['compared'] : []), ...(uses.shown && !uses.masked ? ['shown without its mask'] : [])]
          : access === 'read'
            ? (['editable', 'sent'] as const).filter((use) => uses[use])
            : []
    return wrong.map((use) => `${field}: ${use}`)
  })
}

/** Fields that a viewer sees, or may edit, on the page as it will be, and not on the page as it is. */
export function newlyExposed(before: Exposure, after: Exposure): { visible: string[]; editable: string[] } {
  const isVisible = (uses: FieldExposure | undefined): boolean => uses !== undefined && uses.shown && !uses.masked
  return {
    visible: [...after].flatMap(([field, uses]) => (isVisible(uses) && !isVisible(before.get(field)) ? [field] : [])),
    editable: [...after].flatMap(([field, uses]) => (uses.editable && !before.get(field)?.editable ? [field] : [])),
  }
}

class Notes {
  readonly found = new Map<string, FieldExposure>()

  add(name: string, uses: Partial<FieldExposure>): void {
    const known = this.found.get(name) ?? NOTHING
    const all = { ...known }
    for (const use of Object.keys(uses) as (keyof FieldExposure)[]) all[use] ||= uses[use] === true
    // Shown plainly in one place is shown plainly.
    if (known.shown && uses.shown) all.masked = known.masked && uses.masked === true
    this.found.set(name, all)
  }

  field(field: PageField, uses: Partial<FieldExposure>): void {
    this.add(`${field.entity}.${field.name}`, { ...uses, ...(uses.shown ? { masked: field.masked === true } : {}) })
  }

  /** A value at a path: the reference on the way is asked for too. */
  path(entity: string, path: readonly string[], field: PageField | undefined, uses: Partial<FieldExposure>): void {
    const [first] = path
    if (path.length > 1 && first !== undefined) this.add(`${entity}.${first}`, { requested: true })
    if (field) this.field(field, uses)
  }
}

function noteList(notes: Notes, list: ListBodyModel): void {
  const compare = (name: string): void => notes.add(`${list.entity}.${name}`, { requested: true, compared: true })
  for (const { path, field, summary, sortable } of list.columns) {
    notes.path(list.entity, path, field, { requested: true, shown: true, compared: sortable || summary !== undefined })
  }
  for (const column of list.lines?.lines?.columns ?? []) notes.field(column, { requested: true, shown: true })
  for (const { path, field } of list.filters) notes.path(list.entity, path, field, { requested: true, compared: true })
  for (const name of list.compared) compare(name)
  for (const sort of [list.sort, ...list.views.map((view) => view.sort ?? [])]) for (const { field } of sort) compare(field)
  noteActions(notes, [...list.actions, ...list.rowActions, ...list.bulkActions])
}

function noteRelated(notes: Notes, { title, state, amount, rows, reach }: RelatedModel): void {
  for (const field of [...(title ? [title] : []), ...reach]) notes.field(field, { requested: true, shown: true })
  if (state) notes.field(state, { requested: true, shown: true, compared: rows !== undefined && rows !== 'all' })
  if (amount) notes.field(amount, { requested: true, shown: true, compared: true })
}

function noteItems(notes: Notes, entity: string, items: readonly FieldItemModel[]): void {
  for (const { path, field, edit } of items) {
    notes.path(entity, path, field, { requested: true, shown: true, editable: edit, sent: edit })
    for (const column of field?.lines?.columns ?? []) notes.field(column, { requested: true, shown: true })
  }
}

const noteSection = (notes: Notes, entity: string, section: SectionModel): void => noteItems(notes, entity, section.items)

function noteActions(notes: Notes, actions: readonly ActionModel[]): void {
  for (const { effect } of actions) {
    if (effect.type !== 'transition') continue
    const { entity, transition } = effect
    for (const field of transition.fields.filter(({ name }) => !transition.inputs.includes(name)))
      notes.add(`${entity}.${field.name}`, { editable: true, sent: true })
  }
}

const LOCKED: ReadonlySet<unknown> = new Set(['readPretty', 'readOnly', 'disabled'])

function noteForm(notes: Notes, node: FormNodeModel, locked: boolean, entity: string | undefined): void {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const field = child['x-field']
    const still = locked || LOCKED.has(child['x-pattern']) || field?.readOnly === true
    const uses = { requested: true, shown: true, editable: !still, sent: !still }
    if (field) notes.field(field, uses)
    else if (child.type !== 'void' && entity !== undefined) notes.add(`${entity}.${name}`, uses)
    noteChoices(notes, child['x-options'])
    noteForm(notes, child, still, child.type === 'void' ? entity : undefined)
  }
  if (node.items) noteForm(notes, { ...node.items, properties: { ...node.items.properties } }, locked, undefined)
}

/** Records of an entity that are offered: what they are called, and what they are chosen by. */
function noteChoices(notes: Notes, options: OptionsModel | undefined): void {
  if (options?.from.type !== 'entity') return
  const { entity, where, sort } = options.from
  if (options.shown) notes.field(options.shown, { requested: true, shown: true })
  for (const { field } of [...leavesOf(where), ...sort]) notes.add(`${entity}.${field}`, { requested: true, compared: true })
}
