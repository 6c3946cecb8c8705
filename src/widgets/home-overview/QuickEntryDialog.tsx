import { Alert } from 'antd'
import { useEffect, useState } from 'react'
import { SearchSelect } from '../../runtime/choice/SearchSelect'
import { useHost } from '../../runtime/hostContext'
import { homeTexts } from './texts'
import type { QuickEntry } from './useHome'
import { Dialog } from '../../runtime/dialog/Dialog'

interface QuickEntryDialogProps {
  chosen: readonly QuickEntry[]
  choices: () => Promise<QuickEntry[]>
  onSave: (ids: readonly string[]) => Promise<void>
  onClose: () => void
}

/** Chooses the pages of the home page, in the order in which they are chosen (R322). */
const QuickEntryDialog = ({ chosen, choices, onSave, onClose }: QuickEntryDialogProps) => {
  const host = useHost()
  const texts = homeTexts[host.locale]
  const [options, setOptions] = useState<QuickEntry[] | null>(null)
  const [ids, setIds] = useState(() => chosen.map((entry) => entry.id))
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

  useEffect(() => {
    choices().then(setOptions, (error: unknown) => setFailure(sentence(error)))
  }, [choices])

  const save = (): void => {
    setSaving(true)
    onSave(ids).then(
      () => {
        host.notify('success', texts.saved)
        onClose()
      },
      (error: unknown) => {
        setSaving(false)
        setFailure(sentence(error))
      },
    )
  }
  return (
    <Dialog
      open
      title={texts.title}
      okText={texts.save}
      cancelText={texts.cancel}
      confirmLoading={saving}
      onOk={save}
      onCancel={onClose}
    >
      {failure !== null && <Alert type="error" message={failure} style={{ marginBlockEnd: 12 }} />}
      <SearchSelect
        mode="multiple"
        style={{ width: '100%' }}
        aria-label={texts.choose}
        placeholder={texts.choose}
        loading={options === null && failure === null}
        value={ids}
        onChange={setIds}
        maxCount={24}
        options={options?.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Dialog>
  )
}
export default QuickEntryDialog
