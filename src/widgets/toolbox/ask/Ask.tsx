import { Button, Flex, Input, Typography } from 'antd'
import { useId, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { PageTitle } from '../../../runtime/part/PageTitle'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import type { WidgetProps } from '../../../runtime/widget'
import type { BilingualText } from '../../../schema/problem'
import { toolTexts } from '../texts'
import { CountryField } from './CountryField'
import { RatesForm } from './RatesForm'
import { Results, type ToolAnswer } from './Results'
import { isSend } from '../../../runtime/typing'

interface AskProps {
  path: string
  title?: BilingualText | undefined
  label?: BilingualText | undefined
  hint?: BilingualText | undefined
  sample?: string | undefined
  country?: BilingualText | undefined
  rates?: boolean | undefined
}

/** What was pasted, and the button that asks. */
const PasteForm = ({ props, onAsk }: { props: AskProps; onAsk: (body: Record<string, string | null>) => void }) => {
  const { locale } = useHost()
  const texts = toolTexts[locale]
  const id = useId()
  const [text, setText] = useState('')
  const [country, setCountry] = useState<string | null>(null)
  const ask = (): void => {
    if (text.trim() !== '') onAsk(props.country ? { text, country } : { text })
  }
  return (
    <Flex vertical gap={8}>
      <label htmlFor={id}>{props.label?.[locale]}</label>
      <Input.TextArea
        id={id}
        value={text}
        autoSize={{ minRows: 4, maxRows: 14 }}
        maxLength={60_000}
        placeholder={props.sample}
        aria-describedby={`${id}-hint`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isSend(event)) ask()
        }}
      />
      <Typography.Text id={`${id}-hint`} type="secondary">
        {props.hint?.[locale]}
      </Typography.Text>
      <Flex gap={8} wrap align="end">
        {props.country && <CountryField label={props.country[locale]} value={country} onChange={setCountry} />}
        <Button type="primary" disabled={text.trim() === ''} onClick={ask}>
          {texts.look}
        </Button>
        <Button disabled={text === ''} onClick={() => setText('')}>
          {texts.clear}
        </Button>
      </Flex>
    </Flex>
  )
}

/** A tool: what is asked above, what the gateway answers below. Asked again when the language changes. */
const Ask = ({ props, values }: WidgetProps<AskProps>) => {
  const { locale } = useHost()
  const [body, setBody] = useState<Record<string, string | null> | null>(null)
  const call = useCall<ToolAnswer>(body === null ? null : { method: 'POST', path: props.path, body })
  const tool = (
    <Flex vertical gap={16}>
      {!props.title && <PageTitle title={values.title} />}
      {props.rates ? <RatesForm onAsk={setBody} /> : <PasteForm props={props} onAsk={setBody} />}
      {body !== null && <Loaded call={call}>{(answer) => <Results answer={answer} />}</Loaded>}
    </Flex>
  )
  if (!props.title) return tool
  return (
    <details>
      <summary style={{ cursor: 'pointer', paddingBlock: 4 }}>{props.title[locale]}</summary>
      {tool}
    </details>
  )
}
export default Ask
