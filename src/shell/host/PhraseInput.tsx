import { Input } from 'antd'

/** Asks for a phrase to be typed before something is destroyed. */
const PhraseInput = ({ label, onChange }: { label: string; onChange: (text: string) => void }) => (
  <label className="sb-confirm-phrase">
    {label}
    <Input autoFocus onChange={(event) => onChange(event.target.value)} />
  </label>
)
export default PhraseInput
