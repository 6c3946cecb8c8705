import { Button } from 'antd'
import type { ComponentType } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { isObject, joinAddress } from '../../../schema/overlay'
import { useSurroundings } from '../editor/design'
import { beginningOfKind } from '../language/kinds'
import { designerTexts } from '../texts'
import { withMember, type ControlProps } from './controlProps'

/** A list whose items have no ids (conditions, sort orders): it changes as a whole. */
export const RowList = ({ at, word, value, onChange, Item }: ControlProps & { Item: ComponentType<ControlProps> }) => {
  const texts = designerTexts[useHost().locale]
  const { language } = useSurroundings()
  const rows = Array.isArray(value) ? (value as unknown[]) : []
  const item = word.items ? language.resolve(word.items) : {}
  const change = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next)
  const move = (from: number, to: number): void => {
    const rest = rows.filter((_, index) => index !== from)
    change([...rest.slice(0, to), rows[from], ...rest.slice(to)])
  }
  const words = language.words(item)
  return (
    <div className="sb-design-rows">
      {rows.map((row, index) => (
        <div key={index} className="sb-design-row">
          {words.length === 0 && (
            <Item
              at={joinAddress(at, String(index))}
              name={item.oneOf ? '' : 'value'}
              word={item}
              value={row}
              onChange={(next) => change(rows.with(index, next ?? beginningOfKind(language, item)))}
            />
          )}
          {words.map(([name, meta]) => (
            <Item
              key={name}
              at={joinAddress(at, String(index), name)}
              name={name}
              word={meta}
              value={isObject(row) ? row[name] : undefined}
              onChange={(next) => change(rows.with(index, withMember(isObject(row) ? row : {}, name, next)))}
            />
          ))}
          <div className="sb-design-row-actions">
            <Button size="small" disabled={index === 0} onClick={() => move(index, index - 1)}>
              {texts.up}
            </Button>
            <Button size="small" disabled={index === rows.length - 1} onClick={() => move(index, index + 1)}>
              {texts.down}
            </Button>
            <Button size="small" danger onClick={() => change(rows.filter((_, position) => position !== index))}>
              {texts.remove}
            </Button>
          </div>
        </div>
      ))}
      <Button size="small" onClick={() => change([...rows, beginningOfKind(language, item)])}>
        {texts.add}
      </Button>
    </div>
  )
}
