import { Flex, Typography } from 'antd'
import { useMemo } from 'react'
import { showNumber } from '../../../schema/formats'
import type { BilingualText } from '../../../schema/problem'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { Line } from '../../../runtime/report/charts/Line'
import type { WidgetProps } from '../../../runtime/widget'

interface ProductTraffic {
  product: string
  label: BilingualText
  days: readonly { day: string; volume: number }[]
}

const TEXTS = {
  zh: {
    none: '近90天没有用量。',
    chart: (product: string) => `${product}近90天每日用量`,
    sum: (sum: string, most: string, day: string) => `合计 ${sum}，最高 ${most}（${day}）`,
  },
  en: {
    none: 'No traffic in the last 90 days.',
    chart: (product: string) => `${product}, volume a day over the last 90 days`,
    sum: (sum: string, most: string, day: string) => `${sum} in all, most ${most} (${day})`,
  },
}

/** One product: its line, with the sum and the highest day in words. */
const Product = ({ traffic: { label, days } }: { traffic: ProductTraffic }) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const number = (value: number): string => showNumber(value, locale)
  const highest = days.reduce((most, one) => (one.volume > most.volume ? one : most), { day: '', volume: 0 })
  const sum = days.reduce((total, { volume }) => total + volume, 0)
  const points = useMemo(
    () => days.map(({ day, volume }) => ({ name: day, value: volume, text: showNumber(volume, locale) })),
    [days, locale],
  )
  return (
    <section style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Typography.Text strong>{label[locale]}</Typography.Text>{' '}
      <Typography.Text type="secondary">{texts.sum(number(sum), number(highest.volume), highest.day)}</Typography.Text>
      <Line
        label={`${texts.chart(label[locale])}: ${texts.sum(number(sum), number(highest.volume), highest.day)}`}
        points={points}
      />
    </section>
  )
}

/** The traffic of the customer of the page, a line for each product: their units differ, so they are not added up. */
const TrafficLine = ({ values }: WidgetProps<object>) => {
  const { locale } = useHost()
  const { record } = values
  const id = typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : ''
  const call = useCall<readonly ProductTraffic[]>(
    id === '' ? null : { method: 'GET', path: `/v2/crm/customer/traffic/${encodeURIComponent(id)}` },
  )
  return (
    <Loaded call={call} rows={3}>
      {(products) =>
        products.length === 0 ? (
          <Typography.Text type="secondary">{TEXTS[locale].none}</Typography.Text>
        ) : (
          <Flex gap={24} wrap>
            {products.map((traffic) => (
              <Product key={traffic.product} traffic={traffic} />
            ))}
          </Flex>
        )
      }
    </Loaded>
  )
}
export default TrafficLine
