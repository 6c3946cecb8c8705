import { Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useHost } from '../../runtime/hostContext'
import { momentText } from '../../runtime/reading/moment'
import type { WidgetProps } from '../../runtime/widget'
import { askPosition, coordinates, geoAddress, readPosition, type GeoPosition, type Refusal } from './geoPosition'

const TEXTS = {
  zh: {
    add: '添加当前位置',
    again: '重新获取',
    remove: '移除位置',
    copy: '复制',
    asking: '正在获取位置…',
    refusals: {
      unsupported: '浏览器在这里不提供位置（需要 https 且浏览器支持）。拜访可以不带位置。',
      denied: '浏览器未获准提供位置。请在浏览器的网站设置中允许“位置”后重试；拜访可以不带位置。',
      unavailable: '设备暂时无法确定位置。请打开定位或换个地方重试；拜访可以不带位置。',
      timeout: '15 秒内没有得到位置。请重试；拜访可以不带位置。',
    },
  },
  en: {
    add: 'Add my position',
    again: 'Ask again',
    remove: 'Remove the position',
    copy: 'Copy',
    asking: 'Asking for the position…',
    refusals: {
      unsupported: 'The browser gives no position here (it needs https and a browser that supports it). The visit needs none.',
      denied:
        'The browser may not give the position. Allow "Location" in its settings of this site and try again; the visit needs no position.',
      unavailable: 'The device cannot tell where it is now. Turn location on or try elsewhere; the visit needs no position.',
      timeout: 'There was no position within 15 seconds. Try again; the visit needs no position.',
    },
  },
} satisfies Record<string, { refusals: Record<Refusal, string> } & Record<string, unknown>>

/** Coordinates that open the maps of a phone, with accuracy and time. */
const Shown = ({ position }: { position: GeoPosition }) => {
  const host = useHost()
  const label = TEXTS[host.locale].copy
  return (
    <span>
      <a className="sb-link sb-number" href={geoAddress(position)}>
        {coordinates(position)}
      </a>{' '}
      <span className="sb-number">
        ±{Math.round(position.accuracy)} m · {momentText(host, position.at)}
      </span>{' '}
      <button
        type="button"
        className="sb-link"
        title={label}
        aria-label={label}
        onClick={() => void host.copy(coordinates(position))}
      >
        {label}
      </button>
    </span>
  )
}

interface AskProps {
  id: string
  position: GeoPosition | null
  disabled: boolean
  describedBy: string | undefined
  onChange(value: GeoPosition | null): void
}

/** Asks the browser when the person clicks; what stands in the way is told, and nothing depends on it. */
const Ask = ({ id, position, disabled, describedBy, onChange }: AskProps) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const ask = async (): Promise<void> => {
    setAsking(true)
    setRefused(null)
    const answer = await askPosition()
    setAsking(false)
    if (typeof answer === 'string') setRefused(answer)
    else onChange(answer)
  }
  return (
    <Flex id={id} role="group" aria-labelledby={`${id}-label`} vertical gap={8} align="flex-start">
      {position && <Shown position={position} />}
      <Flex gap={8} wrap>
        <Button aria-describedby={describedBy} disabled={disabled} loading={asking} onClick={() => void ask()}>
          {asking ? texts.asking : position ? texts.again : texts.add}
        </Button>
        {position && (
          <Button type="text" disabled={disabled} onClick={() => onChange(null)}>
            {texts.remove}
          </Button>
        )}
      </Flex>
      {refused && (
        <Typography.Text type="warning" role="alert">
          {texts.refusals[refused]}
        </Typography.Text>
      )}
    </Flex>
  )
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A position: shown where it stands in a record, asked for where a form lets it change. */
const Position = ({ values }: WidgetProps<object>) => {
  const position = readPosition(values.value)
  const onChange = values.onChange as AskProps['onChange'] | undefined
  if (!onChange) return position && <Shown position={position} />
  const disabled = values.disabled === true || values.readOnly === true
  return (
    <Ask
      id={text(values.id) ?? 'position'}
      position={position}
      disabled={disabled}
      describedBy={text(values.describedBy)}
      onChange={onChange}
    />
  )
}
export default Position
