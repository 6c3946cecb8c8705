import { Button, Collapse, Dropdown, Space } from 'antd'
import { memo, useCallback, useState } from 'react'
import { idMembers, idOf, isObject, isOrderedMap, joinAddress, type JsonObject } from '../../../schema/overlay'
import { useHost } from '../../../runtime/hostContext'
import { idsAt, parentOf, valueAt } from '../document/address'
import { panelWords, type OutlineNode } from '../document/outline'
import { useDesign, useSurroundings } from '../editor/design'
import { AddItem } from '../editor/AddItem'
import { isFitting } from '../form/fitting'
import { hidingWord, type ItemActions } from '../editor/itemActions'
import { wordName } from '../../../schema/overlay/words'
import type { Word } from '../language/meta'
import { designerTexts } from '../texts'
import { Control } from './Control'
import type { ControlProps } from './controlProps'
import { OF_NAMES } from './NameControls'
import { isEnter } from '../../../runtime/typing'

/** Words that admins change every day stand first, in this order; all others follow. */
const EVERYDAY: readonly string[] = [
  ...[
    'title',
    'label',
    'x-label',
    'field',
    '$field',
    'code',
    'width',
    'pin',
    'hidden',
    'sortable',
    'summary',
    'required',
    'x-pattern',
  ],
  ...[
    'default',
    'x-backfill',
    'x-visible',
    'visible',
    'description',
    'x-validator',
    'span',
    'x-component',
    'x-component-props',
    'enum',
    'x-decorator-props',
    'columns',
    'sort',
    'pageSize',
  ],
  ...[
    'keyword',
    'operator',
    'more',
    'where',
    'permission',
    'x-permission',
    'confirm',
    'color',
    'type',
    'x-dictionary',
    'x-list',
    'x-filter',
  ],
]
/** Words that say where the value of a field comes from: they stand before all others where they are given. */
const FOLLOWS: ReadonlySet<string> = new Set(['x-lines', 'x-rollup', 'x-derived'])
const rank = (word: string): number => EVERYDAY.indexOf(word)

/** The chosen part of the document: what can be done with it, and its words as controls. */
export const PropertyPanel = ({ node, actions }: { node: OutlineNode; actions: ItemActions }) => {
  const { locale } = useHost()
  const { document, language, base } = useDesign()
  const texts = designerTexts[locale]
  const name = node.label ?? (node.address === '' ? texts.root[language.kind] : wordName(node.word, locale))
  const value = valueAt(document, node.address)
  const hiding = node.kind === 'item' ? hidingWord(language, node.address) : undefined
  const retires = hiding === 'x-retired' || hiding === 'retired'
  // Data are never destroyed: what was released is retired, not removed.
  const kept = base !== null && valueAt(base, node.address) !== undefined
  const given = isObject(value) ? value : {}
  const { def } = language.at(node.address) ?? {}
  const words = panelWords(document, language, node.address).filter(([word]) => isFitting(word, def, given, node.address))
  // Nothing of a rule is less important than the rest: all of it, in the order of the language.
  const ruled = node.kind === 'item' && language.kind === 'entity' && node.address.startsWith('x-')
  const everyday = ([word]: readonly [string, Word]): boolean =>
    rank(word) >= 0 || (FOLLOWS.has(word) && given[word] !== undefined)
  const first = ruled ? words : words.filter(everyday).sort(([a], [b]) => rank(a) - rank(b))
  const further = ruled ? [] : words.filter((entry) => !everyday(entry))
  // What a part says already is not hidden behind a click, but for the head of the page.
  const identity = node.kind === 'item' ? identityOf(document, node.address, actions.choose) : undefined
  const openAtFirst = node.address !== '' && further.some(([word]) => word !== 'id' && given[word] !== undefined)
  return (
    <section className="sb-design-panel" aria-label={name}>
      <header>
        <h3>{name}</h3>
        {node.id && <code>{node.id}</code>}
      </header>
      {node.kind === 'item' && (
        <ItemButtons
          at={node.address}
          copies={node.word !== 'properties'}
          hiding={hiding === undefined ? undefined : retires ? 'retired' : node.word === 'columns' ? 'byDefault' : 'hidden'}
          hidden={node.hidden}
          removes={!(retires && kept)}
          actions={actions}
        />
      )}
      {node.kind === 'list' ? (
        <>
          <p>{node.children.length === 0 ? texts.emptyList : texts.items(node.children.length)}</p>
          <AddItem list={node.address} name={node.word} onAdded={actions.choose} />
        </>
      ) : (
        <>
          {language.at(node.address)?.def === 'FormNode' &&
            (node.children.length > 0 || given.type === 'void' || given.type === 'object') && (
              <AddItem list={joinAddress(node.address, 'properties')} name="properties" onAdded={actions.choose} />
            )}
          {language.at(node.address)?.oneOf && (
            <WordControl at={node.address} name="" word={language.at(node.address) ?? {}} value={value} />
          )}
          <Words words={first} at={node.address} given={given} identity={identity} />
          {further.length > 0 && (
            <Collapse
              ghost
              size="small"
              defaultActiveKey={openAtFirst ? ['more'] : []}
              items={[
                {
                  key: 'more',
                  label: texts.moreWords,
                  children: <Words words={further} at={node.address} given={given} identity={identity} />,
                },
              ]}
            />
          )}
        </>
      )}
    </section>
  )
}

interface ItemButtonsProps {
  at: string
  copies: boolean
  /** How it goes out of sight; undefined: it cannot. */
  hiding: 'retired' | 'hidden' | 'byDefault' | undefined
  hidden: boolean
  removes: boolean
  actions: ItemActions
}

const ItemButtons = memo(function ItemButtons({ at, copies, hiding, hidden, removes, actions }: ItemButtonsProps) {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const [destinations] = useState(() => actions.destinations(at))
  return (
    <Space size={4} wrap>
      <Button size="small" onClick={() => actions.move(at, -1)}>
        {texts.up}
      </Button>
      <Button size="small" onClick={() => actions.move(at, 1)}>
        {texts.down}
      </Button>
      {copies && (
        <Button size="small" onClick={() => actions.duplicate(at)}>
          {texts.duplicate}
        </Button>
      )}
      {destinations.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: destinations.map(({ list, part }) => ({ key: list, label: part.label ?? wordName(part.word, locale) })),
            onClick: ({ key }) => actions.moveInto(at, key),
          }}
        >
          <Button size="small">{texts.moveTo}</Button>
        </Dropdown>
      )}
      {hiding !== undefined && (
        <Button
          size="small"
          title={hiding === 'byDefault' ? texts.hidesByDefault : undefined}
          onClick={() => actions.toggleHidden(at)}
        >
          {texts.hiding[hiding][hidden ? 'back' : 'away']}
        </Button>
      )}
      {removes && (
        <Button
          size="small"
          danger
          title={hiding === 'byDefault' ? texts.takesOut : undefined}
          onClick={() => actions.remove(at)}
        >
          {hiding === 'byDefault' ? texts.takeOut : texts.remove}
        </Button>
      )}
    </Space>
  )
})

/** The words of an item by which its list knows it. */
interface Identity {
  words: readonly string[]
  /** Where the item stands when one of them changes; null: the list cannot take that. */
  moved(word: string, next: unknown): string | null
  choose(at: string): void
}

const identityOf = (document: JsonObject, at: string, choose: (at: string) => void): Identity | undefined => {
  const { parent, last } = parentOf(at)
  const { last: list } = parentOf(parent)
  const item = valueAt(document, at)
  if (isOrderedMap(list) || !isObject(item)) return undefined
  const others = idsAt(document, parent).filter((id) => id !== last)
  return {
    words: idMembers(list),
    choose,
    moved: (word, next) => {
      const id = idOf(list, { ...item, [word]: next })
      return id === undefined || others.includes(id) ? null : joinAddress(parent, id)
    },
  }
}

const Words = ({
  words,
  at,
  given,
  identity,
}: {
  words: readonly [string, Word][]
  at: string
  given: Readonly<Record<string, unknown>>
  identity: Identity | undefined
}) =>
  words.map(([name, word]) =>
    identity?.words.includes(name) ? (
      <IdentityControl
        key={`${joinAddress(at, name)} ${JSON.stringify(given[name])}`}
        at={joinAddress(at, name)}
        name={name}
        word={word}
        value={given[name]}
        identity={identity}
      />
    ) : (
      <WordControl key={joinAddress(at, name)} at={joinAddress(at, name)} name={name} word={word} value={given[name]} />
    ),
  )

/** Typing into one word leaves the others as they are. */
const WordControl = memo(function WordControl({ at, name, word, value }: Omit<ControlProps, 'onChange'>) {
  const { change } = useSurroundings()
  const onChange = useCallback((next: unknown) => change(at, next), [change, at])
  return <Control at={at} name={name} word={word} value={value} onChange={onChange} />
})

/**
 * The word by which a list knows the item. It changes when somebody is done with it: an item without an id, or with that of
 * another one, could not be told apart from the others any more.
 */
const IdentityControl = ({ at, name, word, value, identity }: Omit<ControlProps, 'onChange'> & { identity: Identity }) => {
  const { change } = useSurroundings()
  const texts = designerTexts[useHost().locale]
  const [typed, setTyped] = useState<unknown>(value)
  const moved = identity.moved(name, typed)
  const refused = typed !== value && moved === null
  const done = (next: unknown): void => {
    const there = identity.moved(name, next)
    if (next === value || there === null) return
    change(at, next)
    identity.choose(there)
  }
  const chosen = OF_NAMES.has(name)
  return (
    <div
      onBlur={() => done(typed)}
      onKeyDown={(event) => {
        if (isEnter(event) && !chosen) done(typed)
      }}
    >
      <Control
        at={at}
        name={name}
        word={word}
        value={typed}
        onChange={(next) => {
          setTyped(next)
          if (chosen) done(next)
        }}
      />
      {refused && (
        <small role="alert" className="sb-design-wrong">
          {texts.idTaken}
        </small>
      )}
    </div>
  )
}
