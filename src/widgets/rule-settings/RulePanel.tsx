import { Alert, Button, Descriptions, Flex, Tabs, Tag, Typography } from 'antd'
import { useState } from 'react'
import { toFailure } from '../../headless/failure'
import { useHost } from '../../runtime/hostContext'
import { usePhone } from '../../runtime/media'
import { Loaded } from '../../runtime/reading/Loaded'
import { useCall } from '../../runtime/reading/useCall'
import { Changes, hasCountries } from './Changes'
import { EffectDrawer } from './EffectDrawer'
import { PageForm } from './PageForm'
import { momentText } from '../../runtime/reading/moment'
import { RowTable } from './RowTable'
import { shownTarget, shownValue, subjectName } from './shownValue'
import { ruleTexts } from './texts'
import type { Override, Preview, Rule, RuleTest, Version } from './types'
import { useCountryNames } from './useCountryNames'

/** One rule: its parameters as a form, its versions, its exceptions, its test. */
export const RulePanel = ({ ruleKey }: { ruleKey: string }) => {
  const call = useCall<Rule>({ method: 'GET', path: `/v2/sys/rule/read/${ruleKey}` })
  return <Loaded call={call}>{(rule) => <RuleTabs rule={rule} reload={call.reload} />}</Loaded>
}

const RuleTabs = ({ rule, reload }: { rule: Rule; reload(): void }) => {
  const host = useHost()
  const { locale } = host
  const phone = usePhone()
  const texts = ruleTexts[locale]
  const [preview, setPreview] = useState<Preview | null>(null)
  const [tested, setTested] = useState<RuleTest | null>(null)
  useCountryNames(rule.overrides.some(({ targetType, diff }) => targetType === 'country' || hasCountries(diff)))
  const current = rule.versions.find((one) => one.state === 'current')

  const goBack = async (version: Version): Promise<void> => {
    try {
      setPreview(await host.request<Preview>({ method: 'POST', path: `/v2/sys/rule/preview/${rule.key}`, body: version.params }))
    } catch (error) {
      host.notify('error', texts.failed(toFailure(error, locale).message))
    }
  }
  const end = async (override: Override): Promise<void> => {
    if (!(await host.confirm({ title: texts.endAsk, content: shownTarget(override, locale), danger: true }))) return
    try {
      await host.request({ method: 'POST', path: `/v2/sys/rule/endOverride/${rule.key}`, body: { id: override.id } })
      reload()
    } catch (error) {
      host.notify('error', texts.failed(toFailure(error, locale).message))
    }
  }

  const versions = (
    <RowTable
      rows={rule.versions}
      keyOf={({ id }) => id}
      empty={texts.noVersions}
      expanded={(version) => (
        <Changes diff={version.diff} none={version === rule.versions.at(-1) ? texts.asDefaults : undefined} />
      )}
      columns={[
        {
          key: 'no',
          title: texts.versionTitle,
          render: ({ versionNo, state }) => (
            <Flex gap={8} wrap>
              {texts.version(versionNo)}
              <Tag color={state === 'current' ? 'green' : state === 'future' ? 'blue' : 'default'}>{texts.state[state]}</Tag>
            </Flex>
          ),
        },
        { key: 'at', title: texts.at, render: ({ effectiveFrom }) => momentText(host, effectiveFrom) },
        { key: 'by', title: texts.by, render: ({ byName }) => byName ?? '—' },
        { key: 'reason', title: texts.reason, render: ({ changeReason }) => changeReason },
        {
          key: 'back',
          render: (version) =>
            version.state === 'past' && (
              <Button size="small" onClick={() => void goBack(version)}>
                {texts.back}
              </Button>
            ),
        },
      ]}
    />
  )
  const overrides = (
    <RowTable
      rows={rule.overrides}
      keyOf={({ id }) => id}
      empty={texts.noOverrides}
      columns={[
        {
          key: 'target',
          title: texts.target,
          render: (override) => {
            const subject = rule.subjects.find(({ id }) => id === override.targetType) ?? { id: override.targetType }
            return `${subjectName(subject, locale)} · ${shownTarget(override, locale)}`
          },
        },
        {
          key: 'diff',
          title: texts.parameter,
          render: ({ diff }) =>
            diff
              .map(({ title, after, words }) => `${title[locale]}${texts.colon}${shownValue(after, locale, words)}`)
              .join(texts.and),
        },
        { key: 'until', title: texts.untilTitle, render: ({ until, ended }) => (ended ? texts.ended : (until ?? texts.open)) },
        { key: 'reason', title: texts.reason, render: ({ reason }) => reason ?? '—' },
        {
          key: 'end',
          render: (override) =>
            !override.ended && (
              <Button size="small" danger onClick={() => void end(override)}>
                {texts.end}
              </Button>
            ),
        },
      ]}
    />
  )
  return (
    <Flex vertical gap={12}>
      <Typography.Text type="secondary">
        {texts.version(rule.current)}
        {current ? ` · ${texts.inForce(momentText(host, current.effectiveFrom), current.byName ?? '—')}` : ''}
      </Typography.Text>
      <Tabs
        items={[
          {
            key: 'form',
            label: texts.tabs.form,
            children: (
              <PageForm
                key={`${rule.current}/${rule.newest}`}
                page={rule.page}
                values={rule.params}
                onAnswer={(answer) => setPreview(answer as Preview)}
              />
            ),
          },
          { key: 'history', label: `${texts.tabs.history} (${rule.versions.length})`, children: versions },
          { key: 'overrides', label: `${texts.tabs.overrides} (${rule.overrides.length})`, children: overrides },
          ...(rule.test
            ? [
                {
                  key: 'test',
                  label: texts.tabs.test,
                  children: (
                    <Flex vertical gap={16}>
                      <PageForm page={rule.test} values={{}} onAnswer={(answer) => setTested(answer as RuleTest)} />
                      {tested && (
                        <Alert
                          type={tested.tone}
                          showIcon
                          message={tested.verdict[locale]}
                          description={
                            <Descriptions
                              column={1}
                              size="small"
                              layout={phone ? 'vertical' : 'horizontal'}
                              items={tested.lines.map(({ label, value }, index) => ({
                                key: index,
                                label: label[locale],
                                children: typeof value === 'string' ? value || '—' : value[locale],
                              }))}
                            />
                          }
                        />
                      )}
                    </Flex>
                  ),
                },
              ]
            : []),
        ]}
      />
      {preview && (
        <EffectDrawer
          rule={rule}
          preview={preview}
          onClose={() => setPreview(null)}
          onSaved={() => {
            setPreview(null)
            reload()
          }}
        />
      )}
    </Flex>
  )
}
