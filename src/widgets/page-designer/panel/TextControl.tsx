import { Input } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { isObject } from '../../../schema/overlay'
import { designerTexts } from '../texts'
import { textOf } from './controlProps'

interface Props {
  /** What it is called. */
  label: string
  value: unknown
  onChange(value: unknown): void
}

/** A text in both languages; empty in both: it is left out. One that is the same in both is one that was written so. */
export const TextControl = ({ label, value, onChange }: Props) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const part = isObject(value) ? value : { zh: value, en: value }
  const change = (language: 'zh' | 'en', text: string): void => {
    const next = { zh: textOf(part.zh), en: textOf(part.en), [language]: text }
    onChange(next.zh === '' && next.en === '' ? undefined : next)
  }
  return (
    <div className="sb-design-pair">
      {(['zh', 'en'] as const).map((language) => (
        <Input
          key={language}
          size="small"
          prefix={<span className="sb-design-tag">{language === 'zh' ? '中' : 'EN'}</span>}
          aria-label={`${label} (${language === 'zh' ? texts.chinese : texts.english})`}
          value={textOf(part[language])}
          onChange={(event) => change(language, event.target.value)}
        />
      ))}
    </div>
  )
}
