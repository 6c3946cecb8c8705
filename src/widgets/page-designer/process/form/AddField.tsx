import { PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import type { BilingualText } from '../../../../schema/problem'
import type { FieldType } from '../../../../schema/process'
import { useCatalogue } from '../panel/catalogue'
import { processTexts } from '../texts'
import { choicesOf } from '../words'
import { FIELD_KEY } from './edit'
import { isEnter } from '../../../../runtime/typing'

interface Props {
  taken: readonly string[]
  types: readonly FieldType[]
  onAdd(key: string, type: FieldType, label: BilingualText): void
}

/** A new field: key, names, kind. */
export const AddField = ({ taken, types, onAdd }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const [open, setOpen] = useState(false)
  const [key, setKey] = useState('')
  const [label, setLabel] = useState<BilingualText>({ zh: '', en: '' })
  const [type, setType] = useState<FieldType>('string')
  const wrong = key !== '' && (!FIELD_KEY.test(key) || taken.includes(key))
  const add = (): void => {
    if (key === '' || wrong) return
    onAdd(key, type, { zh: label.zh || label.en || key, en: label.en || label.zh || key })
    setKey('')
    setLabel({ zh: '', en: '' })
  }
  if (!open)
    return (
      <Button size="small" icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {texts.addField}
      </Button>
    )
  return (
    <fieldset
      className="sb-fields-add"
      onKeyDown={(event) => {
        if (isEnter(event) && event.target instanceof HTMLInputElement && event.target.type === 'text') {
          event.preventDefault()
          add()
        }
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <legend>{texts.addField}</legend>
      <Select<FieldType>
        size="small"
        showSearch
        optionFilterProp="label"
        aria-label={texts.fieldKind}
        value={type}
        options={choicesOf(catalogue, 'fieldType', locale, types) as { value: FieldType; label: string }[]}
        onChange={setType}
      />
      <Input
        size="small"
        autoFocus
        aria-label={texts.fieldKey}
        placeholder={texts.fieldKey}
        className="sb-design-mono"
        status={wrong ? 'error' : ''}
        value={key}
        onChange={(event) => setKey(event.target.value.trim())}
      />
      <Input
        size="small"
        aria-label={texts.nameZh}
        placeholder={texts.nameZh}
        value={label.zh}
        onChange={(event) => setLabel({ ...label, zh: event.target.value })}
      />
      <Input
        size="small"
        aria-label={texts.nameEn}
        placeholder={texts.nameEn}
        value={label.en}
        onChange={(event) => setLabel({ ...label, en: event.target.value })}
      />
      <small className={wrong ? 'sb-design-wrong' : 'sb-design-help'}>{wrong ? texts.keyTaken : texts.keyHelp}</small>
      <div className="sb-design-row-actions">
        <Button size="small" type="primary" disabled={key === '' || wrong} onClick={add}>
          {texts.addItem}
        </Button>
        <Button size="small" onClick={() => setOpen(false)}>
          {texts.close}
        </Button>
      </div>
    </fieldset>
  )
}
