import { Button, Descriptions, Flex, Input, InputNumber, Typography } from 'antd'
import { useId, useState } from 'react'
import { PageTitle } from '../../../runtime/part/PageTitle'
import type { WidgetProps } from '../../../runtime/widget'
import { useHost } from '../../../runtime/hostContext'
import { toGsm } from '../../../schema/sms/gsm'
import { isGsm, partsOf } from '../../../schema/sms/segments'
import { toolTexts } from '../texts'
import { atLongest, variablesOf } from './variables'

const ENCODINGS = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const
const codePoint = (one: string): string => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The characters that keep a text out of GSM-7; each may be replaced by a click, nothing is replaced by itself. */
const Wide = ({ text, wide, onChange }: { text: string; wide: readonly string[]; onChange: (text: string) => void }) => {
  const texts = toolTexts[useHost().locale]
  if (wide.length === 0) return <Typography.Text>{texts.noWide}</Typography.Text>
  const suggestion = toGsm(text)
  return (
    <Flex vertical gap={8}>
      <Typography.Text strong>{texts.wide}</Typography.Text>
      <Flex gap={8} wrap>
        {wide.slice(0, 60).map((one) => {
          const instead = toGsm(one)
          const known = instead !== one && isGsm(instead)
          return (
            <Flex key={one} gap={4} align="center">
              <Typography.Text code title={codePoint(one)}>
                {one} {codePoint(one)}
              </Typography.Text>
              {known ? (
                <Button size="small" onClick={() => onChange(text.replaceAll(one, instead))}>
                  {texts.replace(instead === ' ' ? '␠' : instead)}
                </Button>
              ) : (
                <Typography.Text type="secondary">{texts.noReplace}</Typography.Text>
              )}
            </Flex>
          )
        })}
      </Flex>
      {suggestion !== text && (
        <Flex vertical gap={4}>
          <Typography.Text strong>{texts.suggestion}</Typography.Text>
          <Typography.Text style={{ whiteSpace: 'pre-wrap' }}>{suggestion}</Typography.Text>
          <Typography.Text type="secondary">
            {isGsm(suggestion) ? texts.suggestionNote(partsOf(suggestion).segments) : texts.stillWide}
          </Typography.Text>
          <div>
            <Button size="small" onClick={() => onChange(suggestion)}>
              {texts.apply}
            </Button>
          </div>
        </Flex>
      )}
    </Flex>
  )
}

/** How a text goes over the air, worked out here while it is typed. */
const Sms = ({ values }: WidgetProps<Record<string, never>>) => {
  const texts = toolTexts[useHost().locale]
  const id = useId()
  const [text, setText] = useState('')
  const [lengths, setLengths] = useState<Readonly<Record<string, number | null>>>({})
  const variables = variablesOf(text)
  const counted = atLongest(text, lengths)
  const { encoding, units, segments, parts, limit, wide } = partsOf(counted)
  return (
    <Flex vertical gap={16}>
      <PageTitle title={values.title} />
      <div>
        <label htmlFor={id}>{texts.text}</label>
        <Input.TextArea
          id={id}
          value={text}
          maxLength={5_000}
          autoSize={{ minRows: 5, maxRows: 16 }}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {variables.length > 0 && (
        <Flex vertical gap={4}>
          <Typography.Text strong>{texts.variables}</Typography.Text>
          <Flex gap={12} wrap>
            {variables.map((name) => (
              <label key={name}>
                {name}{' '}
                <InputNumber
                  min={0}
                  max={1_000}
                  precision={0}
                  value={lengths[name] ?? null}
                  onChange={(length) => setLengths({ ...lengths, [name]: length })}
                />
              </label>
            ))}
          </Flex>
          <Typography.Text type="secondary">{texts.variablesNote}</Typography.Text>
        </Flex>
      )}
      <div role="status">
        <Descriptions
          size="small"
          column={{ xs: 1, sm: 2, md: 5 }}
          items={[
            { key: 'encoding', label: texts.encoding, children: ENCODINGS[encoding] },
            { key: 'characters', label: texts.characters, children: [...counted].length },
            { key: 'units', label: texts.units(encoding === 'ucs2'), children: units },
            { key: 'segments', label: texts.segments, children: segments },
            { key: 'left', label: texts.left, children: limit - (parts.at(-1)?.units ?? 0) },
          ]}
        />
      </div>
      {text !== '' && <Wide text={text} wide={wide} onChange={setText} />}
      {parts.length > 1 && (
        <section>
          <Typography.Text strong>{texts.parts}</Typography.Text>
          <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {parts.map((part, index) => (
              <li key={index} style={{ paddingBlock: 4 }}>
                <Typography.Text type="secondary">{texts.part(index + 1, part.units, limit)}</Typography.Text>
                <br />
                <Typography.Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{part.text}</Typography.Text>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Flex>
  )
}
export default Sms
