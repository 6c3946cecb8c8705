import { Modal, Radio } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { isObject, type Change } from '../../../schema/overlay'
import type { OpenConflict } from '../document/session'
import { useDesign } from '../editor/design'
import { designerTexts } from '../texts'

/** A text in both languages, as an admin compares it. */
const bothTexts = (value: unknown): string | undefined =>
  isObject(value) && typeof value.zh === 'string' && typeof value.en === 'string' && Object.keys(value).length === 2
    ? [...new Set([value.zh, value.en])].join(' · ')
    : undefined

/** Two admins changed the same places: which value stays. Everything else is merged already. */
export const ConflictDialog = ({ conflict, onSettle }: { conflict: OpenConflict; onSettle(mine: ReadonlySet<string>): void }) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const { labels } = useDesign()
  const [mine, setMine] = useState<ReadonlySet<string>>(() => new Set(conflict.conflicts.map(({ at }) => at)))
  const valueOf = (changes: readonly Change[]): string =>
    changes
      .map((change) => {
        if ('remove' in change) return texts.removedValue
        const value = 'set' in change ? change.set : 'add' in change ? change.add : change.order
        if (typeof value === 'boolean') return value ? texts.yes : texts.no
        return typeof value === 'string' ? value : (bothTexts(value) ?? JSON.stringify(value))
      })
      .join('; ')
  return (
    <Modal
      open
      closable={false}
      title={texts.conflictTitle(conflict.by.name[locale])}
      okText={texts.settle}
      onOk={() => onSettle(mine)}
      cancelButtonProps={{ style: { display: 'none' } }}
    >
      <p>{texts.conflictText}</p>
      {conflict.conflicts.map((part) => (
        <fieldset key={part.at} className="sb-design-conflict">
          <legend>{labels.address(part.at)}</legend>
          <Radio.Group
            value={mine.has(part.at)}
            onChange={(event) => {
              const others = [...mine].filter((at) => at !== part.at)
              setMine(new Set(event.target.value === true ? [...others, part.at] : others))
            }}
          >
            <Radio value={true}>
              {texts.mine}: <span className="sb-design-mono">{valueOf(part.mine)}</span>
            </Radio>
            <Radio value={false}>
              {texts.theirs(conflict.by.name[locale])}: <span className="sb-design-mono">{valueOf(part.theirs)}</span>
            </Radio>
          </Radio.Group>
        </fieldset>
      ))}
    </Modal>
  )
}
