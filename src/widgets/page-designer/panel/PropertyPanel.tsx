import { Button, Collapse, Dropdown, Space } from 'antd'
import { memo, useCallback, useState } from 'react'
import { isObject, joinAddress } from '../../../schema/overlay'
import { useHost } from '../../../runtime/hostContext'
import { valueAt } from '../document/address'
import { panelWords, type OutlineNode } from '../document/outline'
import { useDesign, useSurroundings } from '../editor/design'
import { AddItem } from '../editor/AddItem'
import { hidingWord, type ItemActions } from '../editor/itemActions'
import { wordName } from '../../../schema/overlay/words'
import type { Word } from '../language/meta'
import { designerTexts } from '../texts'
import { Control } from './Control'
import type { ControlProps } from './controlProps'

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
    'x-existing',
    'x-visible',
    'visible',
    'description',
    'x-validator',
    'span',
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
const rank = (word: string): number => EVERYDAY.indexOf(word)

/** The chosen part of the document: what can be done with it, and its words as controls. */
export const PropertyPanel = ({ node, actions }: { node: OutlineNode; actions: ItemActions }) => {
  const { locale } = useHost()
  const { document, language, base } = useDesign()
  const texts = designerTexts[locale]
  const name = node.label ?? (node.address === '' ? texts.root[language.kind] : wordName(node.word, locale))
  const words = panelWords(document, language, node.address)
  const value = valueAt(document, node.address)
  const hiding = node.kind === 'item' ? hidingWord(language, node.address) : undefined
  const retires = hiding === 'x-retired' || hiding === 'retired'
  // Data are never destroyed: what was released is retired, not removed.
  const kept = base !== null && valueAt(base, node.address) !== undefined
  const given = isObject(value) ? value : {}
  const first = words.filter(([word]) => rank(word) >= 0).sort(([a], [b]) => rank(a) - rank(b))
  const further = words.filter(([word]) => rank(word) < 0)
  // What a part says already is not hidden behind a click, but for the head of the page.
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
          hiding={hiding === undefined ? undefined : retires ? 'retired' : 'hidden'}
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
          {language.at(node.address)?.def === 'FormNode' && (node.children.length > 0 || given.type === 'void') && (
            <AddItem list={joinAddress(node.address, 'properties')} name="properties" onAdded={actions.choose} />
          )}
          <Words words={first} at={node.address} given={given} />
          {further.length > 0 && (
            <Collapse
              ghost
              size="small"
              defaultActiveKey={openAtFirst ? ['more'] : []}
              items={[
                { key: 'more', label: texts.moreWords, children: <Words words={further} at={node.address} given={given} /> },
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
  hiding: 'retired' | 'hidden' | undefined
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
        <Button size="small" onClick={() => actions.toggleHidden(at)}>
          {texts.hiding[hiding][hidden ? 'back' : 'away']}
        </Button>
      )}
      {removes && (
        <Button size="small" danger onClick={() => actions.remove(at)}>
          {texts.remove}
        </Button>
      )}
    </Space>
  )
})

const Words = ({
  words,
  at,
  given,
}: {
  words: readonly [string, Word][]
  at: string
  given: Readonly<Record<string, unknown>>
}) =>
  words.map(([name, word]) => (
    <WordControl key={joinAddress(at, name)} at={joinAddress(at, name)} name={name} word={word} value={given[name]} />
  ))

/** Typing into one word leaves the others as they are. */
const WordControl = memo(function WordControl({ at, name, word, value }: Omit<ControlProps, 'onChange'>) {
  const { change } = useSurroundings()
  const onChange = useCallback((next: unknown) => change(at, next), [change, at])
  return <Control at={at} name={name} word={word} value={value} onChange={onChange} />
})
