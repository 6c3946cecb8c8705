import { Checkbox } from 'antd'
import { useState } from 'react'
import { SearchSelect } from '../../../../runtime/choice/SearchSelect'
import { useHost } from '../../../../runtime/hostContext'
import { Loaded } from '../../../../runtime/reading/Loaded'
import { useCall } from '../../../../runtime/reading/useCall'
import type { Form } from '../../../../schema/generated/process'
import { useCatalogue } from '../panel/catalogue'
import { processTexts } from '../texts'
import type { FormDetail } from '../types'
import { textIn } from '../words'
import { withCopied } from './edit'
import { Dialog } from '../../../../runtime/dialog/Dialog'

interface Props {
  form: Form
  /** The form itself cannot be copied from. */
  without: string | null
  onClose(): void
  onCopied(form: Form, count: number): void
}

/** Takes fields over that another form has. */
export const CopyFields = ({ form, without, onClose, onCopied }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const [from, setFrom] = useState<string | null>(null)
  const [keys, setKeys] = useState<readonly string[]>([])
  const detail = useCall<FormDetail>(
    from === null ? null : { method: 'GET', path: `/v2/workflow/form/update/${encodeURIComponent(from)}` },
  )
  return (
    <Dialog
      open
      title={texts.copyFrom}
      okText={texts.copy}
      okButtonProps={{ disabled: keys.length === 0 || !detail.data }}
      onOk={() => detail.data && onCopied(withCopied(form, detail.data.definition, keys), keys.length)}
      onCancel={onClose}
    >
      <SearchSelect<string | null>
        className="sb-design-wide"
        aria-label={texts.copyFromForm}
        placeholder={texts.copyFromForm}
        value={from}
        options={catalogue.forms
          .filter(({ id }) => id !== without)
          .map(({ id, code, name }) => ({ value: id, label: `${textIn(name, locale)} · ${code}` }))}
        onChange={(next) => {
          setFrom(next)
          setKeys([])
        }}
      />
      {from !== null && (
        <Loaded call={detail} rows={4}>
          {({ definition }) => (
            <Checkbox.Group
              className="sb-fields-copied"
              value={[...keys]}
              options={Object.entries(definition.fields).map(([key, field]) => ({
                value: key,
                label: `${textIn(field['x-label'], locale)} · ${key}`,
              }))}
              onChange={(next) => setKeys(next.map(String))}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  )
}
