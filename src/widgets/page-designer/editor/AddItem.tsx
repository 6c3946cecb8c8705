import { Button, Input, Space } from 'antd'
import { useState } from 'react'
import { SearchSelect } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { isObject, isOrderedMap, joinAddress } from '../../../schema/overlay'
import { idsAt, valueAt, withItem } from '../document/address'
import { FIELD_KINDS, FOLLOWING_KINDS, newField } from '../document/fieldKinds'
import { fieldItem, freeId, itemKind, namedItem } from '../document/items'
import { Palette } from '../form/Palette'
import { roomIn, type Room } from '../form/room'
import type { Language } from '../language/meta'
import { designerTexts } from '../texts'
import { useDesign } from './design'
import { onEnter } from '../../../runtime/typing'

/** Where the groups of a form stand. */
const GROUPS = 'schema/properties'
/** The fields of an entity, which are of a kind; what a form holds follows from its field. */
const ofEntity = (language: Language, list: string): boolean => list === 'properties' && language.kind === 'entity'

/** Adds an item to a list: a field of the entity that is not there yet, or something with a name of its own. */
export const AddItem = ({ list, name, onAdded }: { list: string; name: string; onAdded(at: string): void }) => {
  const design = useDesign()
  const { document, language, edit } = design
  const kind = itemKind(language, list, name)
  const room = roomIn(design, list)
  const put = (id: string, item: object): void => {
    const taken = idsAt(document, list)
    if (isOrderedMap(name) && taken.includes(id)) return onAdded(joinAddress(list, id))
    edit(withItem(document, list, id, item))
    onAdded(joinAddress(list, id))
  }
  return (
    <Space direction="vertical" size={8} className="sb-design-wide">
      {kind === 'field' && (!room || room.offered.length > MOST_PARTS) && <AddField list={list} name={name} onPut={put} />}
      {OF_ACTIONS.has(name) && <AddTransition list={list} name={name} onPut={put} />}
      {room && room.offered.length > 0 && <AddComponent room={room} onAdded={onAdded} />}
      {(kind === 'named' || ofEntity(language, list) || list === GROUPS) && <AddNamed list={list} name={name} onPut={put} />}
    </Space>
  )
}

/** Where more is offered than the parts of one component, fields can stand as well. */
const MOST_PARTS = 8

const AddComponent = ({ room, onAdded }: { room: Room; onAdded(at: string): void }) => {
  const texts = designerTexts[useHost().locale]
  const [open, setOpen] = useState(room.offered.length <= MOST_PARTS)
  return (
    <div className="sb-design-palette">
      <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {texts.addComponent}
      </Button>
      {open && <Palette room={room} onAdded={onAdded} />}
    </div>
  )
}

interface Adding {
  list: string
  name: string
  onPut(id: string, item: object): void
}

const AddField = ({ list, name, onPut }: Adding) => {
  const { locale } = useHost()
  const { document, language, labels } = useDesign()
  const texts = designerTexts[locale]
  const [typed, setTyped] = useState('')
  const present = valueAt(document, list)
  const shown = new Set(
    Object.values(isObject(present) || Array.isArray(present) ? present : {}).flatMap((item: unknown) => {
      if (!isObject(item)) return []
      const field = typeof item.$field === 'string' ? item.$field.slice(item.$field.lastIndexOf('.') + 1) : item.field
      return typeof field === 'string' ? [field] : []
    }),
  )
  const choices = labels.fieldsAt(list).filter((field) => !shown.has(field.name))
  const options = choices.map((field) => ({ value: field.name, label: `${field.label[locale]} · ${field.name}` }))
  const free =
    typed.includes('.') && !choices.some((field) => field.name === typed) ? [{ value: typed, label: typed, typed: true }] : []
  return (
    <SearchSelect
      className="sb-design-wide"
      aria-label={texts.addField}
      placeholder={texts.addFieldHint}
      value={null}
      options={[...options, ...free]}
      onSearch={setTyped}
      onSelect={(field: string | null) => {
        if (field === null) return
        const id = name === 'properties' ? freeId(field.replaceAll('.', ''), idsAt(document, list)) : field
        onPut(id, fieldItem(language, list, name, field, labels.entityAt(list)?.name))
      }}
    />
  )
}

/** Lists of what people can do with records. */
const OF_ACTIONS: ReadonlySet<string> = new Set(['actions', 'rowActions', 'bulkActions'])

/** A transition of the entity as an action: its id says everything. */
const AddTransition = ({ list, onPut }: Adding) => {
  const { locale } = useHost()
  const { document, labels } = useDesign()
  const texts = designerTexts[locale]
  const taken = new Set(idsAt(document, list))
  const free = labels.transitionsAt(list).filter(({ id }) => !taken.has(id))
  if (free.length === 0) return null
  return (
    <SearchSelect
      className="sb-design-wide"
      aria-label={texts.addTransition}
      placeholder={texts.addTransition}
      value={null}
      options={free.map(({ id, label }) => ({ value: id, label: `${label[locale]} · ${id}` }))}
      onSelect={(id: string | null) => {
        if (id !== null) onPut(id, { id })
      }}
    />
  )
}

const ID = /^[A-Za-z][A-Za-z0-9:/._-]*$/

const AddNamed = ({ list, name, onPut }: Adding) => {
  const { document, language } = useDesign()
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const field = ofEntity(language, list)
  const label = list === GROUPS ? texts.addGroup : texts.addNamed
  const [kind, setKind] = useState('string')
  const [id, setId] = useState('')
  const good = ID.test(id) && !idsAt(document, list).includes(id)
  const add = (): void => {
    if (!good) return
    onPut(id, field ? newField(kind, { zh: id, en: id }) : namedItem(language, list, name, id))
    setId('')
  }
  return (
    <Space.Compact className="sb-design-wide">
      {field && (
        <SearchSelect
          size="small"
          className="sb-design-who"
          aria-label={texts.fieldKind}
          value={kind}
          onChange={setKind}
          options={[...FIELD_KINDS, ...FOLLOWING_KINDS].map((one) => ({ value: one.id, label: one.label[locale] }))}
        />
      )}
      <Input
        size="small"
        aria-label={label}
        placeholder={label}
        value={id}
        onChange={(event) => setId(event.target.value)}
        onKeyDown={onEnter(add)}
        status={id !== '' && !good ? 'error' : ''}
      />
      <Button size="small" disabled={!good} onClick={add}>
        {texts.add}
      </Button>
    </Space.Compact>
  )
}
