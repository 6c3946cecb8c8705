import { Button, Collapse } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import { isKeyedName, isObject, joinAddress } from '../../../../schema/overlay'
import { parentOf } from '../../document/address'
import { freeId } from '../../document/items'
import { useDesign } from '../../editor/design'
import { beginningOfKind } from '../../language/kinds'
import type { Word } from '../../language/meta'
import { Control } from '../../panel/Control'
import { withMember } from '../../panel/controlProps'
import { processTexts } from '../texts'
import { Row } from './Row'

interface Props {
  label: string
  help?: string
  /** Address of the list in the document. */
  at: string
  /** Its last step, e.g. effects. */
  name: string
  /** What an item is in the language, e.g. Effect. */
  item: Word
  value: readonly unknown[]
  onChange(value: readonly unknown[] | undefined): void
}

/** Effects, checks or reasons: each folded under its name, with its words as the language has them. */
export const Items = ({ label, help, at, name, item, value, onChange }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const { language, labels } = useDesign()
  const [open, setOpen] = useState<readonly string[]>([])
  // a list is addressed by ids or by positions as the document has it at its own name
  const keyed = isKeyedName(parentOf(at).last)
  const idOf = (one: unknown): string => (isObject(one) && typeof one.id === 'string' ? one.id : '')
  const change = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next)
  const move = (from: number, to: number): void => {
    const one = value[from]
    if (to >= 0 && to < value.length) change(value.toSpliced(from, 1).toSpliced(to, 0, one))
  }
  const add = (): void => {
    const id = freeId(name === 'effects' ? 'effect' : name === 'refuse' ? 'reason' : 'check', value.map(idOf))
    const begun = beginningOfKind(language, item)
    change([...value, { ...(isObject(begun) ? begun : {}), id }])
    setOpen([...open, id])
  }
  return (
    <Row label={label} group {...(help === undefined ? {} : { help })}>
      {() => (
        <>
          {value.length > 0 && (
            <Collapse
              size="small"
              activeKey={[...open]}
              onChange={(keys) => setOpen([keys].flat())}
              items={value.map((one, index) => {
                const id = idOf(one)
                const here = joinAddress(at, keyed && id !== '' ? id : String(index))
                const part = isObject(one) ? one : {}
                return {
                  key: id || String(index),
                  label: (
                    <>
                      {labels.text(part.message) ?? labels.item(here, id || String(index + 1), part)} <code>{id}</code>
                    </>
                  ),
                  children: (
                    <>
                      {language
                        .words(item)
                        .filter(([word]) => word !== 'id')
                        .map(([word, meta]) => (
                          <Control
                            key={word}
                            at={joinAddress(here, word)}
                            name={word}
                            word={meta}
                            value={part[word]}
                            onChange={(next) => change(value.with(index, withMember(part, word, next)))}
                          />
                        ))}
                      <div className="sb-design-row-actions">
                        <Button size="small" disabled={index === 0} onClick={() => move(index, index - 1)}>
                          {texts.up}
                        </Button>
                        <Button size="small" disabled={index === value.length - 1} onClick={() => move(index, index + 1)}>
                          {texts.down}
                        </Button>
                        <Button size="small" danger onClick={() => change(value.filter((_, position) => position !== index))}>
                          {texts.remove}
                        </Button>
                      </div>
                    </>
                  ),
                }
              })}
            />
          )}
          <Button size="small" className="sb-process-start" onClick={add}>
            {texts.addItem}
          </Button>
        </>
      )}
    </Row>
  )
}
