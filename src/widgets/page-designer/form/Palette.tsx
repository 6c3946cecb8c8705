import { Input } from 'antd'
import { useId, useState, type KeyboardEvent } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import type { Locale } from '../../../schema/problem'
import { useDesign } from '../editor/design'
import type { FieldChoice } from '../language/labels'
import { GROUP_NAMES, GROUPS, type FormComponent } from './components'
import { Picture } from './Picture'
import { edits, freeFields, savesFields, withComponent, type Room } from './room'
import { onEnter } from '../../../runtime/typing'

const TEXTS = {
  zh: {
    search: '查找组件，回车添加第一个',
    none: '没有这样的组件。',
    field: '保存到字段',
    ownValue: '自己的值，不保存到字段',
    needsParams: '此表单把值原样保存到实体：自己的值须在“提交”的参数中说明，否则不能发布。',
    drag: '点击添加到末尾，或拖到上面的结构中。',
  },
  en: {
    search: 'Find a component; Enter adds the first',
    none: 'There is no such component.',
    field: 'Saved to the field',
    ownValue: 'A value of its own, saved to no field',
    needsParams:
      'This form saves its values to the entity as they are: for a value of its own the parameters of "Submits" have to say what is sent, or it cannot be released.',
    drag: 'Click to add at the end, or drag into the structure above.',
  },
} as const

/** What a component is dragged as. */
export const DRAGGED = 'application/x-switchboard-component'

/** Found by its name in both languages and as schemas name it. */
export const isFound = ({ label, name }: FormComponent, typed: string): boolean =>
  `${label.zh} ${label.en} ${name}`.toLowerCase().includes(typed.trim().toLowerCase())

const COLUMNS = 4
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }

/** Arrows go from one component to the next, as in a grid. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const step = STEPS[event.key]
  if (step === undefined) return
  const all = [...event.currentTarget.querySelectorAll('button')]
  const at = all.findIndex((button) => button === document.activeElement)
  if (at < 0) return
  all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus()
  event.preventDefault()
}

/** The components that can stand at a place of the form, each with a picture. */
export const Palette = ({ room, onAdded }: { room: Room; onAdded(at: string): void }) => {
  const { locale } = useHost()
  const design = useDesign()
  const { document, labels, edit } = design
  const texts = TEXTS[locale]
  const [typed, setTyped] = useState('')
  const [field, setField] = useState<FieldChoice | null>(null)
  const fields = freeFields({ document, labels })
  const found = room.offered.filter((component) => isFound(component, typed) && (field === null || edits(component, field)))
  const add = (component: FormComponent | undefined): void => {
    if (!component) return
    const made = withComponent(design, room, component, field ?? undefined)
    edit(made.document)
    onAdded(made.at)
  }
  return (
    <div className="sb-design-palette">
      <Input
        size="small"
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onEnter(() => add(found[0]))}
      />
      {fields.length > 0 && room.offered.some((component) => fields.some((one) => edits(component, one))) && (
        <SearchSelect
          size="small"
          className="sb-design-wide"
          allowClear
          aria-label={texts.field}
          placeholder={`${texts.field}: ${texts.ownValue}`}
          value={field?.name}
          options={fields.map(({ name, label }) => ({ value: name, label: `${label[locale]} · ${name}` }))}
          onChange={(name: string | undefined) => setField(fields.find((one) => one.name === name) ?? null)}
        />
      )}
      {savesFields(document) && field === null && <small className="sb-design-help">{texts.needsParams}</small>}
      {found.length === 0 ? (
        <p className="sb-design-help">{texts.none}</p>
      ) : (
        <small className="sb-design-help">{texts.drag}</small>
      )}
      <div onKeyDown={moveFocus}>
        {GROUPS.map((group) => (
          <Group key={group} group={group} components={found.filter((one) => one.group === group)} locale={locale} onAdd={add} />
        ))}
      </div>
    </div>
  )
}

interface GroupProps {
  group: (typeof GROUPS)[number]
  components: readonly FormComponent[]
  locale: Locale
  onAdd(component: FormComponent): void
}

const Group = ({ group, components, locale, onAdd }: GroupProps) => {
  const id = useId()
  if (components.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h4 id={id}>{GROUP_NAMES[group][locale]}</h4>
      <div className="sb-design-tiles">
        {components.map((component) => (
          <button
            key={component.id}
            type="button"
            className="sb-design-tile"
            title={component.name}
            draggable
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData(DRAGGED, component.id)
              dataTransfer.effectAllowed = 'copy'
            }}
            onClick={() => onAdd(component)}
          >
            <Picture id={component.id} />
            <span>{component.label[locale]}</span>
          </button>
        ))}
      </div>
    </section>
  )
}
