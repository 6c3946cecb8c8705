import { Alert, Button, Flex, Segmented, Tag, theme, Typography } from 'antd'
import { useState } from 'react'
import { useFormValues } from '../../runtime/form/view/session'
import { useHost } from '../../runtime/hostContext'
import { Loaded } from '../../runtime/reading/Loaded'
import { momentText } from '../../runtime/reading/moment'
import { tellFailure } from '../../runtime/reading/tell'
import { useCall } from '../../runtime/reading/useCall'
import { campaignTexts, isSkip } from './texts'

const BASE = '/v2/crm/mailCampaign'
const AUDIENCE = [
  ...[
    'senderId',
    'audienceKind',
    'audienceOwner',
    'countries',
    'levels',
    'industries',
    'stages',
    'products',
    'roles',
    'addresses',
  ],
  ...['sourceId', 'sendAt', 'perHour'],
]
const LETTER = ['subject', 'body', 'subjectEn', 'bodyEn', 'contactFallback', 'customerFallback']
const FIELDS = [...AUDIENCE, ...LETTER]

type Values = Readonly<Record<string, unknown>>

interface Reached {
  total: number
  skipped: Readonly<Record<string, number>>
  missing: readonly { variable: string; message: string }[]
  sample: readonly { name: string | null; customerName: string | null }[]
  tracked: boolean
  sender: { dailyLimit: number; share: number } | null
  expectedEnd: string | null
}

/** Whom the campaign reaches as it stands in the form, and how it reads. */
const CampaignCheck = () => {
  const values = useFormValues(FIELDS)
  if (values === null) return <div role="status" aria-busy="true" style={{ minHeight: 160 }} />
  return (
    <Flex vertical gap={16}>
      <Reach values={values} />
      <Preview values={values} />
    </Flex>
  )
}
export default CampaignCheck

const Reach = ({ values }: { values: Values }) => {
  const host = useHost()
  const texts = campaignTexts[host.locale]
  const call = useCall<Reached>({ method: 'POST', path: `${BASE}/audience`, body: { values } })
  return (
    <section aria-label={texts.count} aria-live="polite" style={{ minHeight: 96 }}>
      <Loaded call={call} rows={2}>
        {({ total, skipped, missing, sample, tracked, sender, expectedEnd }) => {
          const reasons = Object.entries(skipped)
          const passed = reasons.reduce((sum, [, count]) => sum + count, 0)
          return (
            <Flex vertical gap={8}>
              <Flex gap="4px 16px" wrap align="baseline">
                <Typography.Text strong style={{ fontSize: 16 }} type={total === 0 ? 'danger' : undefined}>
                  {total === 0 ? texts.nobody : texts.reach(total)}
                </Typography.Text>
                {passed > 0 && <Typography.Text type="secondary">{texts.skipped(passed)}</Typography.Text>}
                {reasons.map(([reason, count]) => (
                  <Tag key={reason}>
                    {isSkip(reason) ? texts.skips[reason] : reason} {count}
                  </Tag>
                ))}
              </Flex>
              {sample.length > 0 && (
                <Typography.Text type="secondary">
                  {texts.sample}
                  {host.locale === 'zh' ? '：' : ': '}
                  {sample.map(({ name, customerName }) => [name, customerName].filter(Boolean).join(' · ') || '—').join('; ')}
                </Typography.Text>
              )}
              <Typography.Text type="secondary">
                {sender && expectedEnd
                  ? `${texts.ends(momentText(host, expectedEnd))} · ${texts.limit(sender.share, sender.dailyLimit)}`
                  : texts.sender}
              </Typography.Text>
              {missing.map(({ variable, message }) => (
                <Alert key={variable} type="warning" showIcon message={message} />
              ))}
              {!tracked && <Alert type="info" showIcon message={texts.untracked} />}
            </Flex>
          )
        }}
      </Loaded>
    </section>
  )
}

interface Shown {
  subject: string
  html: string
  isSample: boolean
}

const Preview = ({ values }: { values: Values }) => {
  const host = useHost()
  const texts = campaignTexts[host.locale]
  const [locale, setLocale] = useState<'zh' | 'en'>(host.locale)
  const isWritten = Boolean(values.subject) && Boolean(values.body)
  const call = useCall<Shown>(isWritten ? { method: 'POST', path: `${BASE}/preview`, body: { values, locale } } : null)
  const test = (): void => {
    host.request<{ to: string; mails: number }>({ method: 'POST', path: `${BASE}/test`, body: { values } }).then(
      ({ to, mails }) => host.notify('success', texts.tested(to, mails)),
      (error: unknown) => tellFailure(host, error, `${BASE}/test`),
    )
  }
  return (
    <section aria-label={texts.preview}>
      <Flex gap="8px 12px" wrap align="center" style={{ marginBottom: 8 }}>
        <Segmented
          value={locale}
          onChange={setLocale}
          options={[
            { value: 'zh', label: texts.chineseReaders },
            { value: 'en', label: texts.otherReaders },
          ]}
        />
        <Button disabled={!isWritten || !values.senderId} onClick={test}>
          {texts.test}
        </Button>
      </Flex>
      {isWritten ? (
        <Loaded call={call} rows={4}>
          {(shown) => <Letter {...shown} />}
        </Loaded>
      ) : (
        <Typography.Text type="secondary">{texts.empty}</Typography.Text>
      )}
    </section>
  )
}

/** The letter in a frame of its own: nothing in it runs, nothing leaves. */
const Letter = ({ subject, html, isSample }: Shown) => {
  const texts = campaignTexts[useHost().locale]
  const { token } = theme.useToken()
  const style = `body{margin:8px 12px;font:14px/1.57 sans-serif;color:${token.colorText};background:${token.colorBgContainer};overflow-wrap:anywhere}a{color:${token.colorLink}}img{max-width:100%}`
  return (
    <Flex vertical gap={8}>
      {isSample && <Typography.Text type="secondary">{texts.made}</Typography.Text>}
      <Typography.Text strong>{subject}</Typography.Text>
      <iframe
        title={texts.frame}
        sandbox=""
        style={{ width: '100%', height: 260, border: `1px solid ${token.colorBorder}`, borderRadius: 6 }}
        srcDoc={`<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><style>${style}</style></head><body>${html}</body></html>`}
      />
    </Flex>
  )
}
