import { Checkbox, Input } from 'antd'
import { useHost } from '../../../../runtime/hostContext'
import type { Locale } from '../../../../schema/problem'
import { textIn } from '../words'
import { sampled, unknownIn } from './placeholders'
import { noticeTexts } from './texts'
import type { NoticeDraft, NoticeWords } from './types'

const LONGEST = 500

/** A made-up application, for reading a text as it will arrive. */
const SAMPLE: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  zh: {
    applicant: '王芳',
    process: '付款',
    code: 'FK202611230001',
    title: '王芳 · 付款',
    amount: '12,000.00 USD',
    due: '2026-11-23 18:00',
    text: '请尽快处理',
    by: '刘强',
    comment: '同意',
    hours: '4',
    error: '账户已停用',
    urgency: '紧急',
  },
  en: {
    applicant: 'Fang Wang',
    process: 'Payment',
    code: 'FK202611230001',
    title: 'Fang Wang · Payment',
    amount: '12,000.00 USD',
    due: '2026-11-23 18:00',
    text: 'please decide soon',
    by: 'Qiang Liu',
    comment: 'agreed',
    hours: '4',
    error: 'the account is stopped',
    urgency: 'Urgent',
  },
}

interface EventTextsProps {
  words: NoticeWords
  draft: NoticeDraft
  onChange(part: Partial<NoticeDraft>): void
}

/** Which events are sent, and what each of them says, with an example of the text. */
export const EventTexts = ({ words, draft, onChange }: EventTextsProps) => {
  const host = useHost()
  const { locale } = host
  const texts = noticeTexts[locale]
  const languages: readonly Locale[] = draft.language === 'both' ? ['zh', 'en'] : [draft.language === 'en' ? 'en' : 'zh']
  const toggle = (event: string, on: boolean): void =>
    onChange({ events: on ? [...draft.events, event] : draft.events.filter((one) => one !== event) })
  const write = (event: string, language: Locale, text: string): void => {
    const { [language]: _before, ...others } = draft.templates[event] ?? {}
    const said = text === '' ? others : { ...others, [language]: text }
    const { [event]: _event, ...rest } = draft.templates
    onChange({ templates: Object.keys(said).length === 0 ? rest : { ...rest, [event]: said } })
  }
  return (
    <section className="sb-process-effects" aria-label={texts.events}>
      <h3>{texts.events}</h3>
      <p className="sb-design-lead">
        {texts.eventsHelp} {texts.placeholders}: <code>{words.placeholders.map((name) => `{${name}}`).join(' ')}</code>
      </p>
      <ul className="sb-chat-notice-events">
        {Object.entries(words.defaults).map(([event, usual]) => {
          const name = textIn(words.names[event], locale) || event
          const on = draft.events.includes(event)
          return (
            <li key={event}>
              <Checkbox checked={on} onChange={(change) => toggle(event, change.target.checked)}>
                {name}
              </Checkbox>
              {on &&
                languages.map((language) => {
                  const own = draft.templates[event]?.[language]
                  const unknown = unknownIn(own, words.placeholders)
                  return (
                    <div key={language}>
                      <Input.TextArea
                        autoSize
                        maxLength={LONGEST}
                        aria-label={(language === 'zh' ? texts.wordsZh : texts.wordsEn)(name)}
                        placeholder={usual[language]}
                        status={unknown.length > 0 ? 'error' : ''}
                        value={own ?? ''}
                        onChange={(change) => write(event, language, change.target.value)}
                      />
                      {unknown.length > 0 ? (
                        <small role="alert" className="sb-chat-notice-wrong">
                          {texts.unknown(unknown.map((one) => `{${one}}`).join(' '))}
                        </small>
                      ) : (
                        <small className="sb-design-help">
                          {texts.preview}: {sampled(own || usual[language], SAMPLE[language])}
                        </small>
                      )}
                    </div>
                  )
                })}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
